import type { QueueCounts, SyncQueue } from '@gateway/redis';

/** What a queue is for: answers that a client waits for, or tasks that are to be submitted. */
export type QueueKind = 'sync' | 'video';

type QueueLabels = Readonly<Record<'kind' | 'vendor', string>>;

type Counted = readonly (readonly [labels: QueueLabels, counts: QueueCounts])[];

/** The queues of each kind, by vendor. */
export type CountedQueues = Readonly<Record<QueueKind, ReadonlyMap<string, Pick<SyncQueue, 'counts'>>>>;

interface QueueGauge {
  reset(): void;
  set(labels: QueueLabels, value: number): void;
}

/** The gauges of one scrape are asked together: for so long they share one look at the queues. */
const SHARED_FOR_MS = 500;

/** The lengths of all queues, looked up once for all gauges of a scrape. */
export class QueueCensus {
  #counted: Promise<Counted> | undefined;
  #countedAtMs = 0;

  constructor(private readonly queues: CountedQueues) {}

  /** Where Redis does not say, the gauge has no value: an old one would look like a queue that stands still. */
  async fill(gauge: QueueGauge, read: (counts: QueueCounts) => number): Promise<void> {
    const counted = await this.#count().catch((): Counted => []);
    gauge.reset();
    for (const [labels, counts] of counted) gauge.set(labels, read(counts));
  }

  #count(): Promise<Counted> {
    const nowMs = performance.now();
    if (this.#counted === undefined || nowMs - this.#countedAtMs > SHARED_FOR_MS) {
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
