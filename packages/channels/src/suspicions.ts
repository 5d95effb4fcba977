/** A second account must see the same rejection within this time. */
const CONFIRMATION_WINDOW_MS = 60_000;

interface Suspicion {
  readonly accountId: string;
  readonly atMs: number;
}

/**
 * Rejections of one channel that a client's request may have caused, by model. One account cannot confirm its own: its
 * content may be what the vendor rejects. A success of any account in between refutes it.
 */
export class Suspicions {
  readonly #byModel = new Map<string, Suspicion>();

  /** Records a rejection. True if another account saw one for this model within the last minute. */
  add(model: string, accountId: string, nowMs: number): boolean {
    const known = this.#byModel.get(model);
    const isRecent = known !== undefined && nowMs - known.atMs < CONFIRMATION_WINDOW_MS;
    if (isRecent && known.accountId !== accountId) {
      this.#byModel.delete(model);
      return true;
    }
    this.#byModel.set(model, { accountId, atMs: nowMs });
    return false;
  }

  /** The vendor has just served this model. */
  clear(model: string): void {
    if (this.#byModel.size > 0) this.#byModel.delete(model);
  }
}
