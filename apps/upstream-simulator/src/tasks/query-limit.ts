const WINDOW_MS = 1_000;

/** Accepted and rejected queries of one credential. */
export type QueryCount = Readonly<{ credential: string; answered: number; refused: number }>;

interface Counted {
  answered: number;
  refused: number;
  /** Times of the accepted ones, oldest first. */
  readonly recentMs: number[];
}

/** A sliding limit of queries a second, per credential. Rejected ones do not count. */
export class QueryLimit {
  readonly #counts = new Map<string, Counted>();

  constructor(private readonly perSecond: number) {}

  /** False above the limit. */
  admit(credential: string, nowMs = Date.now()): boolean {
    const counted = this.#countsOf(credential);
    while ((counted.recentMs[0] ?? nowMs) <= nowMs - WINDOW_MS) {
      counted.recentMs.shift();
    }
    if (counted.recentMs.length >= this.perSecond) {
      counted.refused += 1;
      return false;
    }
    counted.answered += 1;
    counted.recentMs.push(nowMs);
    return true;
  }

  counts(): QueryCount[] {
    return [...this.#counts].map(([credential, { answered, refused }]) => ({ credential, answered, refused }));
  }

  #countsOf(credential: string): Counted {
    const known = this.#counts.get(credential);
    if (known !== undefined) return known;
    const counted: Counted = { answered: 0, refused: 0, recentMs: [] };
    this.#counts.set(credential, counted);
    return counted;
  }
}
