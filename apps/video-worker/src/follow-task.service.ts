import type { TaskReading } from '@gateway/contracts';
import type { WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { WORKER_CONFIG, type WorkerConfig } from './doors.js';
import { endTooLate, endWithout, isFinalReading } from './finish-task/end-of-task.js';
import { FinishTask } from './finish-task/finish-task.service.js';
import { DOUBTS_AT_LEAST, type OpenReading, PlanLook } from './plan-look.service.js';
import { AskInTurn } from './poll-task/ask-in-turn.service.js';
import type { Look } from './poll-task/ask-task.service.js';
import { jittered } from './poll-task/next-poll.js';
import { ScheduleLook } from './schedule-look.service.js';
import { StopTask } from './stop-task.service.js';
import type { TaskCursor } from './task-channels.js';

/** An upstream that does not answer when a task's time is over is asked for so long again: the task may be ready. */
const LAST_TRIES_MS = 60_000;

const LOST = {
  unknown: { code: 'task_lost', message: 'The upstream does not know the task any more. Nothing is charged.' },
  no_video: {
    code: 'video_missing',
    message: 'The upstream says that the task succeeded, and gives no video. Nothing is charged.',
  },
} as const;

type DoubtfulReading = Extract<TaskReading, { state: keyof typeof LOST }>;

/** One look at a task that an upstream has: ask, then end it, stop it, or put it down until the next look. */
@Injectable()
export class FollowTask {
  constructor(
    private readonly asking: AskInTurn,
    private readonly stopping: StopTask,
    private readonly finishing: FinishTask,
    private readonly planning: PlanLook,
    private readonly next: ScheduleLook,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
  ) {}

  async follow(task: WorkerVideoTask, upstreamTaskId: string, place: TaskCursor, stop: AbortSignal): Promise<void> {
    const look = await this.asking.ask(task, upstreamTaskId, place, stop);
    if (look.kind === 'not_yet') return this.next.postpone(task, look.waitMs);
    if (look.kind !== 'reading') return this.#withoutReading(task, place, look);
    const { reading } = look;
    if (isFinalReading(reading)) return this.finishing.finishAsRead(task, reading);
    if (reading.state === 'unknown' || reading.state === 'no_video') return this.#doubt(task, place, reading);
    if (task.cancelOutcome === 'pending') return this.#stop(task, upstreamTaskId, place, reading, stop);
    if (Date.now() >= task.expiresAtMs) return this.stopping.asTooLate(task, upstreamTaskId, place, stop);
    return this.planning.afterReading(task, place, reading);
  }

  /** Nothing is known: a task does not end by that, unless its time is long over. */
  async #withoutReading(
    task: WorkerVideoTask,
    place: TaskCursor,
    look: Exclude<Look, { kind: 'reading' }>,
  ): Promise<void> {
    if (Date.now() >= task.expiresAtMs + LAST_TRIES_MS) await this.finishing.finish(task, endTooLate);
    else if (look.kind === 'throttled') await this.next.postpone(task, jittered(look.waitMs));
    else await this.planning.afterFailure(task, place);
  }

  /** An upstream forgets what has ended long ago, and may not know yet what it has just taken, or where it has put it. */
  async #doubt(task: WorkerVideoTask, place: TaskCursor, { state, native }: DoubtfulReading): Promise<void> {
    const nowMs = Date.now();
    const sinceMs = Math.max(task.firstMissAtMs ?? nowMs, task.submittedAtMs ?? nowMs);
    const isLost = task.missCount + 1 >= DOUBTS_AT_LEAST && nowMs - sinceMs >= this.config.unknownAfterMs;
    if (isLost || nowMs >= task.expiresAtMs) {
      await this.finishing.finish(task, (seen) => ({
        ...endWithout(seen, 'failed', LOST[state], nowMs),
        upstream: state === 'no_video' ? native : null,
      }));
    } else {
      await this.planning.afterDoubt(task, place);
    }
  }

  async #stop(
    task: WorkerVideoTask,
    upstreamTaskId: string,
    place: TaskCursor,
    reading: OpenReading,
    stop: AbortSignal,
  ): Promise<void> {
    const left = await this.stopping.asWished(task, upstreamTaskId, place, stop);
    if (left !== null) await this.planning.afterReading(left, place, reading);
  }
}
