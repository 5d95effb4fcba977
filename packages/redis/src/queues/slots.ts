/** Counts running requests against a fixed size, and records since when a slot has been free. */
export class Slots {
  active = 0;
  #jobs = 0;
  #roomSinceMs: number | null = Date.now();
  #lastChangeMs = Date.now();

  constructor(readonly size: number) {}

  /** Concurrent jobs allowed so that requests fill the slots; the last bundle may exceed them. */
  get maxJobs(): number {
    return Math.max(1, this.#jobs + this.size - this.active);
  }

  /** Counts a job of several requests as one; each of its requests still occupies a slot. */
  async runJob(run: () => Promise<void>): Promise<void> {
    this.#jobs += 1;
    try {
      await run();
    } finally {
      this.#jobs -= 1;
    }
  }

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
