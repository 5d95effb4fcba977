import type { TaskStore } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { TASK_STORE, WORKER_CONFIG, type WorkerConfig } from '../doors.js';
import type { Pace } from './next-poll.js';

const REMEMBERED_FOR_MS = 15_000;

/** How long tasks of a model usually take, learnt from those that have ended. */
@Injectable()
export class LearnPace {
  readonly #usual = new Map<string, { readonly usualMs: number | null; readonly readAtMs: number }>();

  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
  ) {}

  async paceOf(model: string, firstPollMs: number): Promise<Pace> {
    const { pollFastestMs: fastestMs, pollSlowestMs: slowestMs } = this.config;
    return { usualMs: await this.#usualMs(model), firstPollMs, fastestMs, slowestMs };
  }

  async #usualMs(model: string): Promise<number | null> {
    const known = this.#usual.get(model);
    const nowMs = performance.now();
    if (known !== undefined && nowMs - known.readAtMs < REMEMBERED_FOR_MS) return known.usualMs;
    const usualMs = await this.tasks.usualDurationMs(model);
    this.#usual.set(model, { usualMs, readAtMs: nowMs });
    return usualMs;
  }
}
