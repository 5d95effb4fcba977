const TOKENS_PER_REQUEST = 0.2;
const MAX_TOKENS = 10;

/** Allows one retry for five requests in the long run, so that retries cannot overload an unhealthy upstream. */
export class RetryBudget {
  #tokens = MAX_TOKENS;

  /** Retries that are allowed now. */
  get tokens(): number {
    return Math.floor(this.#tokens);
  }

  onRequest(): void {
    this.#tokens = Math.min(MAX_TOKENS, this.#tokens + TOKENS_PER_REQUEST);
  }

  /** Spends one token for a retry. False: none is left, so a retry is not allowed now. */
  spend(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
