/** Some of a store's accounts, from where the last page ended. */
export interface AccountPage {
  readonly accountIds: readonly string[];
  /** Where the next page begins; null: this was the last one. */
  readonly next: string | null;
}

/** Gives a page that begins there; null: the first one. */
export type AccountSource = (from: string | null) => Promise<AccountPage>;

/**
 * Goes round through the accounts of several stores, some at a time. Where there are few, each time goes through all of them;
 * where there are many, an account comes up the later the more there are, and a round takes no longer.
 */
export class AccountScanner {
  #at = 0;
  #from: string | null = null;

  constructor(
    private readonly sources: readonly AccountSource[],
    /** So many, and the rest of a page, are given at a time. */
    private readonly enough: number,
  ) {}

  async next(): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (let ended = 0; found.size < this.enough && ended < this.sources.length; ) {
      const source = this.sources[this.#at];
      if (source === undefined) throw new Error(`there is no source ${this.#at}`);
      const { accountIds, next } = await source(this.#from);
      for (const accountId of accountIds) found.add(accountId);
      this.#from = next;
      if (next !== null) continue;
      ended += 1;
      this.#at = (this.#at + 1) % this.sources.length;
    }
    return found;
  }
}
