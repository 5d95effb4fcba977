import type { QueueCounts, SyncQueue } from '@gateway/redis';

type Counted = readonly (readonly [vendor: string, counts: QueueCounts])[];

interface VendorGauge {
  reset(): void;
  set(labels: { vendor: string }, value: number): void;
}

/** The gauges of one scrape are asked together: for so long they share one look at the queues. */
const SHARED_FOR_MS = 500;

/** The lengths of all queues, looked up once for all gauges of a scrape. */
export class QueueCensus {
  #counted: Promise<Counted> | undefined;
  #countedAtMs = 0;

  constructor(private readonly queues: ReadonlyMap<string, Pick<SyncQueue, 'counts'>>) {}

  /** Where Redis does not say, the gauge has no value: an old one would look like a queue that stands still. */
  async fill(gauge: VendorGauge, read: (counts: QueueCounts) => number): Promise<void> {
    const counted = await this.#count().catch((): Counted => []);
    gauge.reset();
    for (const [vendor, counts] of counted) gauge.set({ vendor }, read(counts));
  }

  #count(): Promise<Counted> {
    const nowMs = performance.now();
    if (this.#counted === undefined || nowMs - this.#countedAtMs > SHARED_FOR_MS) {
      this.#countedAtMs = nowMs;
      this.#counted = Promise.all(
        [...this.queues].map(async ([vendor, queue]) => [vendor, await queue.counts()] as const),
      );
    }
    return this.#counted;
  }
}
