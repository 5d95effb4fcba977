/** Bodies of lines that are at the edge; one alone may be larger. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The lines of a batch that are at the edge now. */
export class LinesAtEdge {
  readonly #running = new Set<Promise<void>>();
  #bytes = 0;
  #blocked = 0;
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
        this.#running.delete(ended);
      });
    this.#running.add(ended);
  }

  /** A line can begin only when another one ends. Returns false at once if no other line runs. */
  async waitForOthers(wait: () => Promise<unknown>): Promise<boolean> {
    this.#blocked += 1;
    try {
      if (this.#running.size <= this.#blocked) return false;
      await wait();
      return true;
    } finally {
      this.#blocked -= 1;
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
