const GROW_AFTER = 8;
const SHRINK = 0.7;
const MINUTE_MS = 60_000;

/**
 * How many lines of a batch may be at the edge. Begins low, grows while lines end, and shrinks when the account's limits are
 * reached. It leaves half of the account's rate to requests whose clients wait.
 */
export class LinePace {
  #bound = 4;
  #endedSinceGrowth = 0;
  #pausedUntilMs = 0;

  /** `most`: this batch's share of the worker, which changes with its other batches. */
  constructor(private readonly most: () => number) {}

  get linesAtOnce(): number {
    return Math.max(1, Math.min(Math.floor(this.#bound), this.most()));
  }

  /** Milliseconds before the next line may begin. */
  pauseMs(nowMs: number): number {
    return Math.max(0, this.#pausedUntilMs - nowMs);
  }

  /** A line has ended. `headers`: of its admission, with the state of the rate. */
  onEnded(headers: Readonly<Record<string, string>>, nowMs: number): void {
    this.#endedSinceGrowth += 1;
    if (this.#endedSinceGrowth >= GROW_AFTER) this.#grow();
    const limit = Number(headers['x-ratelimit-limit-requests'] ?? 0);
    const missing = limit / 2 - Number(headers['x-ratelimit-remaining-requests'] ?? limit);
    if (missing > 0) this.#pausedUntilMs = Math.max(this.#pausedUntilMs, nowMs + (missing * MINUTE_MS) / limit);
  }

  onLimited(): void {
    this.#bound = Math.max(1, Math.min(this.#bound, this.most()) * SHRINK);
    this.#endedSinceGrowth = 0;
  }

  #grow(): void {
    this.#endedSinceGrowth = 0;
    this.#bound = Math.min(this.#bound * 1.5 + 1, Math.max(this.most(), this.#bound));
  }
}
