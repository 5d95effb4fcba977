import type { TaskStore } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { TASK_STORE, WORKER_CONFIG, type WorkerConfig } from '../doors.js';
import type { Pace } from './next-poll.js';

const REMEMBERED_FOR_MS = 15_000;

interface Learnt {
  readonly usualMs: Promise<number | null>;
  readonly readAtMs: number;
}

/** How long tasks of a model usually take, learnt from those that have ended. */
@Injectable()
export class LearnPace {
  readonly #usual = new Map<string, Learnt>();

  constructor(
    @Inject(TASK_STORE) private readonly tasks: Pick<TaskStore, 'usualDurationMs'>,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'pollFastestMs' | 'pollSlowestMs'>,
  ) {}

  async paceOf(model: string, firstPollMs: number): Promise<Pace> {
    const { pollFastestMs: fastestMs, pollSlowestMs: slowestMs } = this.config;
    return { usualMs: await this.#usualMs(model), firstPollMs, fastestMs, slowestMs };
  }

  /** Asked once for all looks that want to know: together they would take every connection there is. */
  #usualMs(model: string): Promise<number | null> {
    const known = this.#usual.get(model);
    const nowMs = performance.now();
    if (known !== undefined && nowMs - known.readAtMs < REMEMBERED_FOR_MS) return known.usualMs;
    const learnt: Learnt = { usualMs: this.tasks.usualDurationMs(model), readAtMs: nowMs };
    learnt.usualMs.catch(() => {
      if (this.#usual.get(model) === learnt) this.#usual.delete(model);
    });
    this.#usual.set(model, learnt);
    return learnt.usualMs;
  }
}
