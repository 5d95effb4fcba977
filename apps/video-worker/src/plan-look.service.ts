import type { TaskReading } from '@gateway/contracts';
import type { PollUpdate, WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { WORKER_CONFIG, type WorkerConfig } from './doors.js';
import { inItsLife } from './finish-task/end-of-task.js';
import { LearnPace } from './poll-task/learn-pace.service.js';
import { backOffMs, jittered, nextPollMs, type Pace, paceWhenLate } from './poll-task/next-poll.js';
import { PollTurns } from './poll-task/poll-turns.service.js';
import { ScheduleLook } from './schedule-look.service.js';
import type { TaskCursor } from './task-channels.js';

/** What an upstream says of a task that it has not ended. */
export type OpenReading = Extract<TaskReading, { state: 'queued' | 'running' }>;

/** So many looks in a row have to say that a task is unknown, or has no video, before it is taken to be lost. */
export const DOUBTS_AT_LEAST = 3;

/** How long a task is put down for, by what a look at it has brought. */
@Injectable()
export class PlanLook {
  constructor(
    private readonly pace: LearnPace,
    private readonly turns: PollTurns,
    private readonly next: ScheduleLook,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
  ) {}

  /** It goes on: soon when it should be ready, seldom before, and none more often than all can be asked for. */
  async afterReading(task: WorkerVideoTask, place: TaskCursor, reading: OpenReading): Promise<void> {
    const nowMs = Date.now();
    const pace = paceWhenLate(await this.#paceOf(task, place), nowMs - (task.nextPollAtMs ?? nowMs));
    const elapsedMs = nowMs - (task.submittedAtMs ?? task.createdAtMs);
    const roundMs = await this.turns.roundMs(task.vendor, place.channelId);
    const waitMs = jittered(Math.max(nextPollMs(elapsedMs, pace), roundMs));
    const { state, native } = reading;
    await this.next.note(task, (seen) => ({
      state,
      startedAtMs: state === 'running' ? inItsLife(seen, reading.startedAtMs ?? nowMs, nowMs) : null,
      progress: reading.progress === undefined ? null : Math.round(reading.progress),
      upstream: native,
      failures: 0,
      missCount: 0,
      nextPollMs: Math.min(waitMs, Math.max(pace.fastestMs, seen.expiresAtMs - nowMs)),
    }));
  }

  /** The question went wrong: nothing is known. */
  async afterFailure(task: WorkerVideoTask, place: TaskCursor): Promise<void> {
    const pace = await this.#paceOf(task, place);
    await this.next.note(task, (seen) => ({
      ...nothingNew(seen),
      failures: seen.pollFailures + 1,
      nextPollMs: jittered(backOffMs(seen.pollFailures + 1, pace)),
    }));
  }

  /** The upstream does not know it, or shows nothing of it. */
  async afterDoubt(task: WorkerVideoTask, place: TaskCursor): Promise<void> {
    const pace = await this.#paceOf(task, place);
    const soonMs = Math.max(pace.fastestMs, this.config.unknownAfterMs / DOUBTS_AT_LEAST);
    await this.next.note(task, (seen) => ({
      ...nothingNew(seen),
      missCount: seen.missCount + 1,
      nextPollMs: Math.min(soonMs, pace.slowestMs),
    }));
  }

  #paceOf({ model }: WorkerVideoTask, { firstPollMs }: TaskCursor): Promise<Pace> {
    return this.pace.paceOf(model, firstPollMs);
  }
}

const nothingNew = ({ pollFailures, missCount: doubts }: WorkerVideoTask): Omit<PollUpdate, 'nextPollMs'> => ({
  state: null,
  startedAtMs: null,
  progress: null,
  upstream: null,
  failures: pollFailures,
  missCount: doubts,
});
