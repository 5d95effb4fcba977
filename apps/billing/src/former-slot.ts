import { FORMER_SHARD } from '@gateway/contracts';
import { type Logger, Loop } from '@gateway/observability';
import { type Database, formerEpoch } from '@gateway/postgres';
import type { UsageStream } from '@gateway/redis';
import type { OnApplicationBootstrap } from '@nestjs/common';
import type { BillingMetrics } from './observability/billing-metrics.js';
import { SweepExpiredHolds } from './reconciliation/sweep-expired-holds.service.js';
import type { BillingResources } from './resources.js';
import type { AnnounceBooked } from './settlement/announce-booked.service.js';
import { RecordBatch } from './settlement/record-batch.service.js';

const EVERY_MS = 2_000;
const BATCH_SIZE = 500;
/** A consumer that holds entries for this long has died. */
const STALE_AFTER_MS = 5_000;

export interface FormerSlotParts {
  readonly database: Database;
  readonly logger: Logger;
  readonly consumer: string;
  /** These read and write the keys of the former release. */
  readonly stream: Pick<UsageStream, 'claimStale' | 'read'>;
  readonly recordBatch: Pick<RecordBatch, 'record'>;
  readonly sweep: Pick<SweepExpiredHolds, 'sweep'>;
}

/**
 * Books what a release with one slot for all money settles after its escrow has returned to the customers, who pay it from
 * their free balance: requests that its workers end, and settlements that waited. It releases the holds that no process settles.
 * An installation that began with shards stops it in the first round.
 */
export class FormerSlot implements OnApplicationBootstrap {
  readonly #loop: Loop;
  #isNeeded = true;

  constructor(private readonly parts: FormerSlotParts) {
    this.#loop = new Loop({
      intervalMs: EVERY_MS,
      run: async () => {
        await this.book(Date.now());
      },
      onError: (error) => parts.logger.warn({ err: error }, 'booking of the former slot failed'),
    });
  }

  onApplicationBootstrap(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Resolves to the number of events that this call booked. */
  async book(nowMs: number): Promise<number> {
    if (!this.#isNeeded) return 0;
    const { database, stream, recordBatch, sweep, consumer } = this.parts;
    const epoch = await formerEpoch(database);
    this.#isNeeded = epoch !== null;
    if (epoch === null || !epoch.isRetired) return 0;
    await sweep.sweep(nowMs);
    const reader = { consumer, count: BATCH_SIZE };
    const stale = await stream.claimStale({ ...reader, minIdleMs: STALE_AFTER_MS });
    const entries = stale.length > 0 ? stale : await stream.read({ ...reader, blockMs: 1 });
    if (entries.length === 0) return 0;
    await recordBatch.record(entries, (shard) => (shard === FORMER_SHARD ? epoch.number : 0n));
    return entries.length;
  }
}

interface SharedParts {
  readonly metrics: BillingMetrics;
  readonly logger: Logger;
  readonly announceBooked: AnnounceBooked;
}

/** The stages of settlement over the keys of the former release. */
export function openFormerSlot(
  { database, former, consumerName }: BillingResources,
  { metrics, logger, announceBooked }: SharedParts,
): FormerSlot {
  return new FormerSlot({
    database,
    logger,
    consumer: consumerName,
    stream: former.stream,
    recordBatch: new RecordBatch(database, former.store, metrics, logger, announceBooked),
    sweep: new SweepExpiredHolds(former.store, () => [FORMER_SHARD], metrics, logger),
  });
}
