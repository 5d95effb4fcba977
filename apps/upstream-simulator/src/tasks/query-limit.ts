const WINDOW_MS = 1_000;

/** How many queries of one credential were answered, and how many came too fast. */
export interface QueryCount {
  readonly credential: string;
  readonly answered: number;
  readonly refused: number;
}

interface Counted {
  answered: number;
  refused: number;
  /** When the last answered ones came, oldest first. */
  readonly recentMs: number[];
}

/** So many queries a second of each credential, in any second; those that are refused count for nothing. */
export class QueryLimit {
  readonly #counts = new Map<string, Counted>();

  constructor(private readonly perSecond: number) {}

  /** False if this query is one too many. */
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
