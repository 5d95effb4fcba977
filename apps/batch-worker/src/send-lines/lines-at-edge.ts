/** Bodies of lines that are at the edge; one alone may be larger. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The lines of a batch that are at the edge now. */
export class LinesAtEdge {
  readonly #running = new Set<Promise<void>>();
  #bytes = 0;
  /** Lines that were refused and wait to be sent again. They hold nothing. */
  #waiting = 0;
  #ended = 0;
  #failure: { readonly error: unknown } | undefined;

  /** Waits until fewer than `most()` lines are there, and their bodies leave room for `bytes`. Rejects as `end` does. */
  async room(bytes: number, most: () => number): Promise<void> {
    while (this.#running.size >= most() || (this.#running.size > 0 && this.#bytes + bytes > MAX_BYTES)) {
      await Promise.race(this.#running);
      this.#throwFailure();
    }
  }

  add(bytes: number, line: Promise<void>): void {
    this.#bytes += bytes;
    const ended = line
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#bytes -= bytes;
        this.#ended += 1;
        this.#running.delete(ended);
      });
    this.#running.add(ended);
  }

  /** Lines that have ended: taken before a line is sent, it shows whether a refusal still holds. */
  get ended(): number {
    return this.#ended;
  }

  /**
   * A line was refused, because others hold what it needs. Returns false at once if none does: every other line waits too,
   * and none has ended since this one was sent.
   */
  async waitForOthers(endedBefore: number, wait: () => Promise<unknown>): Promise<boolean> {
    if (this.#ended === endedBefore && this.#running.size <= this.#waiting + 1) return false;
    this.#waiting += 1;
    try {
      await wait();
      return true;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Rejects with the first error of a line. */
  async end(): Promise<void> {
    await Promise.all(this.#running);
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
