import { randomUUID } from 'node:crypto';
import { type Logger, Loop } from '@gateway/observability';
import type { BatchStore } from '@gateway/postgres';
import type { ObjectStore } from '@gateway/store';
import { Inject, Injectable } from '@nestjs/common';
import { removeExpired } from './end-batch/remove-expired.js';
import { LEASE_MS, RunBatch } from './run-batch.js';
import {
  BATCH_STORE,
  LOGGER,
  OBJECT_STORE,
  RUN_PORTS,
  type SharedPorts,
  WORKER_CONFIG,
  type WorkerConfig,
} from './tokens.js';

const CLAIM_EVERY_MS = 500;
const SWEEP_EVERY_MS = 60_000;

/** Claims due batches and runs them, as many at once as the configuration says. Removes results whose time is over. */
@Injectable()
export class RunBatches {
  readonly #running = new Map<RunBatch, Promise<void>>();
  readonly #loops: readonly Loop[];

  constructor(
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    @Inject(BATCH_STORE) private readonly batches: BatchStore,
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore | undefined,
    @Inject(RUN_PORTS) private readonly ports: SharedPorts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const onError = (err: unknown): void => this.logger.warn({ err }, 'a round over batches failed, will be retried');
    this.#loops = [
      new Loop({ intervalMs: CLAIM_EVERY_MS, run: (signal) => this.#claimAll(signal), onError }),
      new Loop({ intervalMs: SWEEP_EVERY_MS, run: (signal) => this.#sweep(signal), onError }),
    ];
  }

  start(): void {
    if (this.objects !== undefined) for (const loop of this.#loops) loop.start();
  }

  /** Lines at the edge go on; what has ended is recorded. Other workers continue the batches. */
  async drain(remainingMs: number): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    for (const run of this.#running.keys()) {
      run.drain();
      run.giveUpAfter(remainingMs / 2);
    }
    await Promise.all(this.#running.values());
  }

  async #claimAll(signal: AbortSignal): Promise<void> {
    const { objects } = this;
    while (objects !== undefined && !signal.aborted && this.#running.size < this.config.batchesAtOnce) {
      const claimed = await this.batches.claim(randomUUID(), LEASE_MS);
      if (claimed === null) return;
      this.ports.failpoints.reach('after-claim');
      const share = (): number => Math.max(1, Math.floor(this.config.linesAtOnce / Math.max(1, this.#running.size)));
      const run = new RunBatch({ ...this.ports, objects, share }, claimed);
      const ended = run.run().finally(() => this.#running.delete(run));
      this.#running.set(run, ended);
    }
  }

  async #sweep(signal: AbortSignal): Promise<void> {
    if (this.objects !== undefined) await removeExpired(this.batches, this.objects, signal);
  }
}
