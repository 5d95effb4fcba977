import type { KeySpending } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import { type Database, isInvalidDataError, parkEvent, recordSettlements } from '@gateway/postgres';
import type { AcknowledgedUsage, AdmissionStore, UsageEntry } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import type { BillingMetrics } from '../../observability/billing-metrics.js';
import { ADMISSION_STORE, DATABASE, LOGGER, METRICS } from '../../tokens.js';

const booked = ({ streamId, event }: UsageEntry, isDuplicate: boolean): AcknowledgedUsage => ({
  streamId,
  accountId: event.accountId,
  costNanoUsd: BigInt(event.costNanoUsd),
  isDuplicate,
  spendingKeyId: event.spendingKeyId,
});

/** What Redis is told after the commit. */
interface Booked {
  readonly entries: readonly AcknowledgedUsage[];
  readonly spendings: readonly KeySpending[];
}

/** Copies usage events to the ledger and then lets Redis forget them: in this order, so that none is lost. */
@Injectable()
export class RecordBatch {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    @Inject(METRICS) private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** False: the ledger has not followed Redis into this epoch yet. Rejects if a store is away; all may be repeated. */
  async record(entries: readonly UsageEntry[], epoch: bigint): Promise<boolean> {
    const done = await this.#book(entries, epoch);
    if (done === null) return false;
    await this.store.acknowledge(done.entries, done.spendings);
    return true;
  }

  /** An event that the ledger refuses is found by halving the batch: it must not hold up the others. */
  async #book(entries: readonly UsageEntry[], epoch: bigint): Promise<Booked | null> {
    try {
      return await this.#bookTogether(entries, epoch);
    } catch (error) {
      if (!isInvalidDataError(error)) throw error;
      const [first] = entries;
      if (entries.length === 1 && first !== undefined) return this.#park(first, error);
      const middle = Math.ceil(entries.length / 2);
      const left = await this.#book(entries.slice(0, middle), epoch);
      const right = left === null ? null : await this.#book(entries.slice(middle), epoch);
      if (left === null || right === null) return null;
      return {
        entries: [...left.entries, ...right.entries],
        spendings: [...left.spendings, ...right.spendings],
      };
    }
  }

  async #bookTogether(entries: readonly UsageEntry[], epoch: bigint): Promise<Booked | null> {
    const result = await recordSettlements(this.database, entries, epoch);
    if (result.outcome === 'wait') return null;
    this.metrics.settlements.inc({ result: 'new' }, result.newRequests);
    this.metrics.settlements.inc({ result: 'repeated' }, entries.length - result.newRequests);
    if (result.doubleCharges.length > 0) {
      this.logger.error({ streamIds: result.doubleCharges }, 'requests were charged twice: the second goes back');
    }
    const doubleCharges = new Set(result.doubleCharges);
    return {
      entries: entries.map((entry) => booked(entry, doubleCharges.has(entry.streamId))),
      spendings: result.spendings,
    };
  }

  /** The customer does not pay for what cannot be booked: the cost goes back, the event is kept for a person. */
  async #park(entry: UsageEntry, error: unknown): Promise<Booked> {
    const reason = error instanceof Error ? error.message : String(error);
    this.logger.error({ requestId: entry.event.requestId, streamId: entry.streamId, reason }, 'parked a usage event');
    await parkEvent(this.database, entry, reason);
    this.metrics.settlements.inc({ result: 'parked' });
    return { entries: [booked(entry, true)], spendings: [] };
  }
}
