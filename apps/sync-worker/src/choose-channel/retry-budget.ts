const SHARE = 0.2;
const RESERVE = 10;

/** At most one retry for five requests in the long run: an ill upstream is not drowned in second tries. */
export class RetryBudget {
  #tokens = RESERVE;

  onRequest(): void {
    this.#tokens = Math.min(RESERVE, this.#tokens + SHARE);
  }

  /** True if a retry may be made now; it is then spent. */
  spend(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
