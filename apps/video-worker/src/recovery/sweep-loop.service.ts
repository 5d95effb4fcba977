import { type Logger, Loop } from '@gateway/observability';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import { SweepTasks } from './sweep-tasks.service.js';

/** Runs the sweep every `SWEEP_EVERY_MS`. */
@Injectable()
export class SweepLoop {
  readonly #loop: Loop;

  constructor(
    sweeping: SweepTasks,
    @Inject(WORKER_CONFIG) config: Pick<WorkerConfig, 'sweepEveryMs'>,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#loop = new Loop({
      intervalMs: config.sweepEveryMs,
      run: (signal) => sweeping.sweep(signal),
      onError: (error) => logger.warn({ err: error }, 'task sweep failed'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Resolves when the running sweep has ended. */
  stop(): Promise<void> {
    return this.#loop.stop();
  }
}
