import { type Database, isDataRefused, parkEvent, recordSettlements } from '@gateway/postgres';
import type { AdmissionStore, BookedUsage, UsageEntry } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { ADMISSION_STORE, DATABASE } from '../billing-doors.js';
import { type BillingMetrics, METRICS } from '../billing-metrics.js';
import { ForgetKeys } from '../forget-keys.service.js';
import { LOGGER, type Logger } from '../observability-door.js';

const booked = ({ streamId, event }: UsageEntry, isDuplicate: boolean): BookedUsage => ({
  streamId,
  accountId: event.accountId,
  costNanoUsd: BigInt(event.costNanoUsd),
  isDuplicate,
});

/** Copies usage events to the ledger and then lets Redis forget them: in this order, so that none is lost. */
@Injectable()
export class RecordBatch {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    @Inject(METRICS) private readonly metrics: BillingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly forgetKeys: ForgetKeys,
  ) {}

  /** False: the ledger has not followed Redis into this epoch yet. Rejects if a store is away; all may be repeated. */
  async record(entries: readonly UsageEntry[], epoch: bigint): Promise<boolean> {
    const acknowledged = await this.#book(entries, epoch);
    if (acknowledged === null) return false;
    await this.store.acknowledge(acknowledged);
    return true;
  }

  /** An event that the ledger refuses is found by halving the batch: it must not hold up the others. */
  async #book(entries: readonly UsageEntry[], epoch: bigint): Promise<readonly BookedUsage[] | null> {
    try {
      return await this.#bookTogether(entries, epoch);
    } catch (error) {
      if (!isDataRefused(error)) throw error;
      const [first] = entries;
      if (entries.length === 1 && first !== undefined) return [await this.#park(first, error)];
      const middle = Math.ceil(entries.length / 2);
      const left = await this.#book(entries.slice(0, middle), epoch);
      const right = left === null ? null : await this.#book(entries.slice(middle), epoch);
      return left === null || right === null ? null : [...left, ...right];
    }
  }

  async #bookTogether(entries: readonly UsageEntry[], epoch: bigint): Promise<readonly BookedUsage[] | null> {
    const result = await recordSettlements(this.database, entries, epoch);
    if (result.outcome === 'wait') return null;
    this.metrics.settlements.inc({ result: 'new' }, result.newRequests);
    this.metrics.settlements.inc({ result: 'repeated' }, entries.length - result.newRequests);
    if (result.doubleCharges.length > 0) {
      this.logger.error({ streamIds: result.doubleCharges }, 'requests were charged twice: the second goes back');
    }
    await this.forgetKeys.forget(result.exhaustedKeys);
    const doubleCharges = new Set(result.doubleCharges);
    return entries.map((entry) => booked(entry, doubleCharges.has(entry.streamId)));
  }

  /** The customer does not pay for what cannot be booked: the cost goes back, the event is kept for a person. */
  async #park(entry: UsageEntry, error: unknown): Promise<BookedUsage> {
    const reason = error instanceof Error ? error.message : String(error);
    this.logger.error({ requestId: entry.event.requestId, streamId: entry.streamId, reason }, 'parked a usage event');
    await parkEvent(this.database, entry, reason);
    this.metrics.settlements.inc({ result: 'parked' });
    return booked(entry, true);
  }
}
