const WINDOW_MS = 10_000;
const LINES_PER_WINDOW = 10;
/** Problems that name a request are all different. Beyond this number they are not counted. */
const MAX_PROBLEMS = 1_000;

/**
 * Bounds the lines of one problem: an outage of a store fails every request, and a stack trace for each would be a second
 * outage. Ten lines of a problem are written in ten seconds.
 */
export class WarningLimit {
  #counts = new Map<string, number>();
  #former: ReadonlyMap<string, number> = new Map();
  readonly #now: () => number;
  #startedAtMs: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#startedAtMs = now();
  }

  /** How many lines of this problem the last ten seconds left out, for its first line afterwards. Undefined: leave this one out. */
  count(problem: string): number | undefined {
    const nowMs = this.#now();
    if (nowMs - this.#startedAtMs >= WINDOW_MS) {
      this.#former = this.#counts;
      this.#counts = new Map();
      this.#startedAtMs = nowMs;
    }
    const before = this.#counts.get(problem) ?? 0;
    if (before === 0 && this.#counts.size >= MAX_PROBLEMS) return 0;
    this.#counts.set(problem, before + 1);
    if (before >= LINES_PER_WINDOW) return undefined;
    return before === 0 ? Math.max(0, (this.#former.get(problem) ?? 0) - LINES_PER_WINDOW) : 0;
  }
}
