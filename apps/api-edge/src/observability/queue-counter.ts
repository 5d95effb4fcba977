import type { TicketQueueKind } from '@gateway/contracts';
import type { QueueCounts, SyncQueue } from '@gateway/redis';

type QueueLabels = Readonly<Record<'kind' | 'vendor', string>>;

type Counted = readonly (readonly [labels: QueueLabels, counts: QueueCounts])[];

/** The queues of each kind, by vendor. */
export type MeasuredQueues = Readonly<Record<TicketQueueKind, ReadonlyMap<string, Pick<SyncQueue, 'counts'>>>>;

interface QueueGauge {
  reset(): void;
  set(labels: QueueLabels, value: number): void;
}

/** All gauges of one scrape share a count this old. */
const CACHE_MS = 500;

/** Counts all queues once for all gauges of a scrape. */
export class QueueCounter {
  #counted: Promise<Counted> | undefined;
  #countedAtMs = 0;

  constructor(private readonly queues: MeasuredQueues) {}

  /** Removes the value while Redis is unavailable: an old value would look like a stuck queue. */
  async fill(gauge: QueueGauge, read: (counts: QueueCounts) => number): Promise<void> {
    const counted = await this.#count().catch((): Counted => []);
    gauge.reset();
    for (const [labels, counts] of counted) gauge.set(labels, read(counts));
  }

  #count(): Promise<Counted> {
    const nowMs = performance.now();
    if (this.#counted === undefined || nowMs - this.#countedAtMs > CACHE_MS) {
      this.#countedAtMs = nowMs;
      this.#counted = Promise.all(
        Object.entries(this.queues).flatMap(([kind, queues]) =>
          [...queues].map(async ([vendor, queue]) => [{ kind, vendor }, await queue.counts()] as const),
        ),
      );
    }
    return this.#counted;
  }
}
