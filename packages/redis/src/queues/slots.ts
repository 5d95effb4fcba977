/** What is running, and since when there has been room for more. */
export class Slots {
  active = 0;
  #jobs = 0;
  #roomSinceMs: number | null = Date.now();
  #lastChangeMs = Date.now();

  constructor(readonly size: number) {}

  /** Jobs that may run at once so that no more requests do than there are slots, a last bundle apart. */
  get jobsAtMost(): number {
    return Math.max(1, this.#jobs + this.size - this.active);
  }

  /** Counts a job of several requests as one; each request still takes a slot of its own. */
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

  /** When something last began or ended here. */
  get lastChangeMs(): number {
    return this.#lastChangeMs;
  }

  async occupy<End>(run: () => Promise<End>): Promise<End> {
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
