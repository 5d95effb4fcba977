const MANY_FAILURES = 5;
/** Limits each account's share, so that many failures are those of at least three accounts. */
const MAX_FAILURES_PER_ACCOUNT = 2;

/** Failures since the last success of any account. */
export class SharedFailures {
  readonly #byAccount = new Map<string, number>();

  /** True after five failures of at least three accounts. */
  get areMany(): boolean {
    let counted = 0;
    for (const failures of this.#byAccount.values()) counted += Math.min(failures, MAX_FAILURES_PER_ACCOUNT);
    return counted >= MANY_FAILURES;
  }

  add(accountId: string): void {
    if (!this.areMany) this.#byAccount.set(accountId, (this.#byAccount.get(accountId) ?? 0) + 1);
  }

  onSuccess(): void {
    // Clearing makes a new table even of an empty map.
    if (this.#byAccount.size > 0) this.#byAccount.clear();
  }
}
