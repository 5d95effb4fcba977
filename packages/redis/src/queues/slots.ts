/** Counts running requests against a fixed size, and records since when a slot has been free. */
export class Slots {
  active = 0;
  #roomSinceMs: number | null = Date.now();
  #lastChangeMs = Date.now();

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
    this.#lastChangeMs = Date.now();
    if (this.active >= this.size) this.#roomSinceMs = null;
    try {
      return await run();
    } finally {
      this.active -= 1;
      this.#lastChangeMs = Date.now();
      this.#roomSinceMs ??= this.#lastChangeMs;
    }
  }
}
