/** Rounds in a row that must agree before a difference counts, and before it is repaired. */
const COUNTS_AFTER_ROUNDS = 3;
const REPAIRED_AFTER_ROUNDS = 6;

export interface Drift {
  readonly accountId: string;
  /** What the ledger has in escrow beyond what Redis holds. */
  readonly driftNanoUsd: bigint;
  readonly rounds: number;
}

/**
 * Tells a lasting difference from money that was on its way while two stores were read: only the same difference, round
 * after round, is a drift.
 */
export class DriftHistory {
  #seen = new Map<string, Drift>();

  /** `observed`: this round's differences by account; an account that could not be observed is left out. */
  record(observed: ReadonlyMap<string, bigint>): void {
    const next = new Map<string, Drift>();
    for (const [accountId, driftNanoUsd] of observed) {
      if (driftNanoUsd === 0n) continue;
      const before = this.#seen.get(accountId);
      const rounds = before?.driftNanoUsd === driftNanoUsd ? before.rounds + 1 : 1;
      next.set(accountId, { accountId, driftNanoUsd, rounds });
    }
    for (const [accountId, drift] of this.#seen) if (!observed.has(accountId)) next.set(accountId, drift);
    this.#seen = next;
  }

  /** The accounts to look at again: they differed when they were seen last. */
  get accountIds(): Iterable<string> {
    return this.#seen.keys();
  }

  /** The differences that have lasted. */
  get lasting(): readonly Drift[] {
    return [...this.#seen.values()].filter(({ rounds }) => rounds >= COUNTS_AFTER_ROUNDS);
  }

  get toRepair(): readonly Drift[] {
    return this.lasting.filter(({ rounds }) => rounds >= REPAIRED_AFTER_ROUNDS);
  }
}
