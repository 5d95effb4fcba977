import { recentReads, type TaskStore } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { TASK_STORE, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import type { Pace } from './next-poll.js';

const FRESH_MS = 15_000;

/** Estimates the duration of a model's tasks from tasks that have ended. */
@Injectable()
export class ModelPace {
  readonly #usualMs: (model: string) => Promise<number | null>;

  constructor(
    @Inject(TASK_STORE) tasks: Pick<TaskStore, 'usualDurationMs'>,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'pollFastestMs' | 'pollSlowestMs'>,
  ) {
    this.#usualMs = recentReads(FRESH_MS, (model) => tasks.usualDurationMs(model));
  }

  async paceOf(model: string, firstPollMs: number): Promise<Pace> {
    const { pollFastestMs: fastestMs, pollSlowestMs: slowestMs } = this.config;
    return { usualMs: await this.#usualMs(model), firstPollMs, fastestMs, slowestMs };
  }
}
