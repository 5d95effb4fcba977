/** A page of the accounts of one store. */
export interface AccountPage {
  readonly accountIds: readonly string[];
  /** The cursor of the next page; null: this is the last page. */
  readonly next: string | null;
}

/** Reads the page at a cursor; null reads the first page. */
export type AccountSource = (cursor: string | null) => Promise<AccountPage>;

/**
 * Scans the accounts of several stores in an endless cycle, one batch per call. With few accounts each batch contains all
 * of them. With many, a batch costs the same, and an account is scanned less often.
 */
export class AccountScanner {
  #sourceIndex = 0;
  #cursor: string | null = null;

  /** A batch ends with the page that reaches `batchSize`. */
  constructor(
    private readonly sources: readonly AccountSource[],
    private readonly batchSize: number,
  ) {}

  /** The last batch had all accounts, or the last of them. */
  get isAtStart(): boolean {
    return this.#sourceIndex === 0 && this.#cursor === null;
  }

  async next(): Promise<ReadonlySet<string>> {
    const batch = new Set<string>();
    for (let finishedSources = 0; batch.size < this.batchSize && finishedSources < this.sources.length; ) {
      const source = this.sources[this.#sourceIndex];
      if (source === undefined) throw new Error(`there is no account source ${this.#sourceIndex}`);
      const { accountIds, next } = await source(this.#cursor);
      for (const accountId of accountIds) batch.add(accountId);
      this.#cursor = next;
      if (next !== null) continue;
      finishedSources += 1;
      this.#sourceIndex = (this.#sourceIndex + 1) % this.sources.length;
    }
    return batch;
  }
}
