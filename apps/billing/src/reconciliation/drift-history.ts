/** Rounds in a row with the same difference before it is reported, and before it is repaired. */
const REPORTED_AFTER_ROUNDS = 3;
const REPAIRED_AFTER_ROUNDS = 6;

export interface Drift {
  readonly accountId: string;
  /** The ledger's escrow minus what Redis holds. */
  readonly driftNanoUsd: bigint;
  readonly rounds: number;
}

/**
 * Separates a drift from money in transit between two reads: only the same difference, round after round, is a drift.
 */
export class DriftHistory {
  #drifts = new Map<string, Drift>();

  /** `observed`: the differences of this round by account. It omits accounts that changed while they were read. */
  record(observed: ReadonlyMap<string, bigint>): void {
    const next = new Map<string, Drift>();
    for (const [accountId, driftNanoUsd] of observed) {
      if (driftNanoUsd === 0n) continue;
      const before = this.#drifts.get(accountId);
      const rounds = before?.driftNanoUsd === driftNanoUsd ? before.rounds + 1 : 1;
      next.set(accountId, { accountId, driftNanoUsd, rounds });
    }
    for (const [accountId, drift] of this.#drifts) if (!observed.has(accountId)) next.set(accountId, drift);
    this.#drifts = next;
  }

  /** The accounts that differed when they were last observed. */
  get accountIds(): Iterable<string> {
    return this.#drifts.keys();
  }

  get isEmpty(): boolean {
    return this.#drifts.size === 0;
  }

  /** The differences to report. */
  get lasting(): readonly Drift[] {
    return [...this.#drifts.values()].filter(({ rounds }) => rounds >= REPORTED_AFTER_ROUNDS);
  }

  get toRepair(): readonly Drift[] {
    return this.lasting.filter(({ rounds }) => rounds >= REPAIRED_AFTER_ROUNDS);
  }
}
