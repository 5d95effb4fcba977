import type { Job } from 'bullmq';

/**
 * BullMQ runs a job that it has fetched only when it has asked for the next one and was told that there is none: each job waits for
 * a round trip, and as long as jobs keep coming they all do. So a job is begun as it is fetched, and BullMQ is given its end.
 */
export class BegunJobs<Data> {
  readonly #ends = new WeakMap<Job<Data, void>, Promise<void>>();

  constructor(private readonly run: (job: Job<Data, void>) => Promise<void>) {}

  begin(job: Job<Data, void>): void {
    // It has stalled too often: BullMQ fails it without running it.
    if (job.deferredFailure) return;
    const end = (async () => this.run(job))();
    // It may fail before BullMQ asks for its end, and is told of it then.
    end.catch(() => undefined);
    this.#ends.set(job, end);
  }

  endOf(job: Job<Data, void>): Promise<void> {
    return this.#ends.get(job) ?? this.run(job);
  }
}
