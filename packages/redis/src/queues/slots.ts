/** Counts running requests against a fixed size, and records since when a slot has been free. */
export class Slots {
  active = 0;
  #roomSinceMs: number | null = performance.now();
  #lastChangeMs = performance.now();

  constructor(readonly size: number) {}

  get roomSinceMs(): number | null {
    return this.#roomSinceMs;
  }

  /** When a request last started or ended. */
  get lastChangeMs(): number {
    return this.#lastChangeMs;
  }

  async occupy<Result>(run: () => Promise<Result>): Promise<Result> {
    this.active += 1;
    this.#lastChangeMs = performance.now();
    if (this.active >= this.size) this.#roomSinceMs = null;
    try {
      return await run();
    } finally {
      this.active -= 1;
      this.#lastChangeMs = performance.now();
      this.#roomSinceMs ??= this.#lastChangeMs;
    }
  }
}
