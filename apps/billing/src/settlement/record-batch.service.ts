import { tokenCount } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import { type Database, entryIdOf, isInvalidDataError, parkEvent, recordSettlements } from '@gateway/postgres';
import type { AcknowledgedUsage, AdmissionStore, BookedTotals, UsageEntry } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import type { BillingMetrics } from '../observability/billing-metrics.js';
import { ADMISSION_STORE, DATABASE, LOGGER, METRICS } from '../tokens.js';
import { AnnounceBooked } from './announce-booked.service.js';

const toAcknowledge = ({ streamId, event }: UsageEntry, isDuplicate: boolean): AcknowledgedUsage => ({
  streamId,
  accountId: event.accountId,
  costNanoUsd: BigInt(event.costNanoUsd),
  isDuplicate,
  spendingKeyId: event.spendingKeyId,
  counters: event.counters,
  tokens: tokenCount(event.units),
});

/** The epoch in which the entries of a shard were read. */
export type EpochOf = (shard: number) => bigint;

/** A committed batch, which Redis may now delete. */
interface CommittedBatch extends BookedTotals {
  readonly entries: readonly AcknowledgedUsage[];
}

/** Commits usage events to the ledger, and acknowledges them in Redis only after the commit. So no event is lost. */
@Injectable()
export class RecordBatch {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    @Inject(METRICS) private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly announceBooked: AnnounceBooked,
  ) {}

  /** False: the ledger is not in one of the epochs yet. Rejects when a store is down. The caller may repeat the call. */
  async record(entries: readonly UsageEntry[], epoch: EpochOf): Promise<boolean> {
    const committed = await this.#commit(entries, epoch);
    if (committed === null) return false;
    const { entries: recorded, ...booked } = committed;
    await this.store.acknowledge(recorded, booked);
    this.announceBooked.announce(entries);
    return true;
  }

  /** Halves a batch that the ledger rejects until the invalid event is alone. The other events must not wait for it. */
  async #commit(entries: readonly UsageEntry[], epoch: EpochOf): Promise<CommittedBatch | null> {
    try {
      return await this.#commitTogether(entries, epoch);
    } catch (error) {
      if (!isInvalidDataError(error)) throw error;
      const [first] = entries;
      if (entries.length === 1 && first !== undefined) return this.#park(first, error);
      const middle = Math.ceil(entries.length / 2);
      const left = await this.#commit(entries.slice(0, middle), epoch);
      const right = left === null ? null : await this.#commit(entries.slice(middle), epoch);
      if (left === null || right === null) return null;
      return {
        entries: [...left.entries, ...right.entries],
        spendings: [...left.spendings, ...right.spendings],
        capCounts: [...left.capCounts, ...right.capCounts],
      };
    }
  }

  async #commitTogether(entries: readonly UsageEntry[], epoch: EpochOf): Promise<CommittedBatch | null> {
    const result = await recordSettlements(this.database, entries, epoch);
    if (result.outcome === 'wait') return null;
    this.metrics.settlements.inc({ result: 'new' }, result.newRequests);
    this.metrics.settlements.inc({ result: 'repeated' }, entries.length - result.newRequests);
    if (result.doubleCharges.length > 0) {
      this.logger.error({ streamIds: result.doubleCharges }, 'double charge returned');
    }
    const doubleCharges = new Set(result.doubleCharges);
    return {
      entries: entries.map((entry) => toAcknowledge(entry, doubleCharges.has(entryIdOf(entry)))),
      spendings: result.spendings,
      capCounts: result.capCounts,
    };
  }

  /** The ledger cannot record this event. The customer gets the cost back, and the event is stored for an operator. */
  async #park(entry: UsageEntry, error: unknown): Promise<CommittedBatch> {
    const reason = error instanceof Error ? error.message : String(error);
    this.logger.error({ requestId: entry.event.requestId, streamId: entry.streamId, reason }, 'usage event parked');
    await parkEvent(this.database, entry, reason);
    this.metrics.settlements.inc({ result: 'parked' });
    return { entries: [toAcknowledge(entry, true)], spendings: [], capCounts: [] };
  }
}
