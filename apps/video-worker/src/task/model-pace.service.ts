import type { TaskStore } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { TASK_STORE, WORKER_CONFIG, type WorkerConfig } from '../tokens.js';
import type { Pace } from './next-poll.js';

const CACHED_FOR_MS = 15_000;

interface CachedDuration {
  readonly usualMs: Promise<number | null>;
  readonly readAtMs: number;
}

/** Estimates the duration of a model's tasks from tasks that have ended. */
@Injectable()
export class ModelPace {
  readonly #cache = new Map<string, CachedDuration>();

  constructor(
    @Inject(TASK_STORE) private readonly tasks: Pick<TaskStore, 'usualDurationMs'>,
    @Inject(WORKER_CONFIG) private readonly config: Pick<WorkerConfig, 'pollFastestMs' | 'pollSlowestMs'>,
  ) {}

  async paceOf(model: string, firstPollMs: number): Promise<Pace> {
    const { pollFastestMs: fastestMs, pollSlowestMs: slowestMs } = this.config;
    return { usualMs: await this.#usualMs(model), firstPollMs, fastestMs, slowestMs };
  }

  /** Concurrent polls share one query: otherwise they would exhaust the connection pool. */
  #usualMs(model: string): Promise<number | null> {
    const cached = this.#cache.get(model);
    const nowMs = performance.now();
    if (cached !== undefined && nowMs - cached.readAtMs < CACHED_FOR_MS) return cached.usualMs;
    const fresh: CachedDuration = { usualMs: this.tasks.usualDurationMs(model), readAtMs: nowMs };
    fresh.usualMs.catch(() => {
      if (this.#cache.get(model) === fresh) this.#cache.delete(model);
    });
    this.#cache.set(model, fresh);
    return fresh.usualMs;
  }
}
