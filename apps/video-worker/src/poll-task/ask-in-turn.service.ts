import type { WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { FAILPOINTS, type Failpoints } from '../failpoints.js';
import type { TaskCursor } from '../task-channels.js';
import { WORKER_METRICS, type WorkerMetrics } from '../worker-metrics.js';
import { AskTask, type Look } from './ask-task.service.js';
import { PollTurns } from './poll-turns.service.js';

/** The turn of this question is too far off to wait for: nobody was asked. */
export interface NotYet {
  readonly kind: 'not_yet';
  readonly waitMs: number;
}

/** Asks how a task is when it is its channel's turn, and has the channel rest if it was asked too often. */
@Injectable()
export class AskInTurn {
  constructor(
    private readonly turns: PollTurns,
    private readonly asking: AskTask,
    @Inject(FAILPOINTS) private readonly failpoints: Failpoints,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
  ) {}

  async ask(
    { vendor }: WorkerVideoTask,
    upstreamTaskId: string,
    place: TaskCursor,
    stop: AbortSignal,
  ): Promise<Look | NotYet> {
    const { stayAwayMs } = await this.turns.take(vendor, place.channelId, stop);
    if (stayAwayMs > 0) return { kind: 'not_yet', waitMs: stayAwayMs };
    this.failpoints.reach('before-poll');
    const look = await this.asking.ask(upstreamTaskId, place, stop);
    this.failpoints.reach('after-poll');
    this.metrics.polls.inc({ vendor, outcome: look.kind === 'reading' ? look.reading.state : look.kind });
    if (look.kind === 'throttled') await this.turns.rest(place.channelId, look.waitMs);
    return look;
  }
}
