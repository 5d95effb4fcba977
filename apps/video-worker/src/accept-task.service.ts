import { isFinalVideoTask, renderVideoTask, type UpstreamAttempt } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import type { Logger } from '@gateway/observability';
import type { TaskStore, WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, TASK_STORE } from './doors.js';
import { FAILPOINTS, type Failpoints } from './failpoints.js';
import { CancelUpstream } from './poll-task/cancel-upstream.service.js';
import { LearnPace } from './poll-task/learn-pace.service.js';
import { firstLookMs } from './poll-task/next-poll.js';
import { SetAlarms } from './set-alarms.service.js';
import type { TaskCursor } from './task-channels.js';
import { TellChange } from './tell-change.service.js';
import { WORKER_METRICS, type WorkerMetrics } from './worker-metrics.js';

/** An upstream's own id that is public as it is. */
const PUBLIC_ID = /^cgt-[A-Za-z0-9_-]{1,120}$/;

/** What an upstream has taken, and who asked it. */
export interface Taken {
  readonly upstreamTaskId: string;
  readonly place: TaskCursor;
  readonly attempts: readonly UpstreamAttempt[];
}

/** Writes down that an upstream has taken a task. Only after that may anybody be told so. */
@Injectable()
export class AcceptTask {
  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    private readonly pace: LearnPace,
    private readonly alarms: SetAlarms,
    private readonly change: TellChange,
    private readonly cancelling: CancelUpstream,
    @Inject(FAILPOINTS) private readonly failpoints: Failpoints,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The task as it is then. It may have ended meanwhile: its time was over, and what the upstream makes is nobody's. */
  async accept(task: WorkerVideoTask, taken: Taken): Promise<WorkerVideoTask> {
    const { upstreamTaskId, attempts, place } = taken;
    const publicId = PUBLIC_ID.test(upstreamTaskId) ? upstreamTaskId : task.taskId;
    const pace = await this.pace.paceOf(task.model, place.firstPollMs);
    for (let seen = task; ; ) {
      const waitMs = firstLookMs(seen, pace, Date.now());
      const record = renderVideoTask({ ...seen, publicId, state: 'queued' }, formatUsd);
      const acceptance = { upstreamTaskId, publicId, attempts, nextPollMs: waitMs, record };
      const accepted = await this.tasks.accept(seen, acceptance);
      if (accepted !== null) {
        this.failpoints.reach('after-accept');
        this.change.tell(accepted);
        const { taskId, vendor, pollNumber } = accepted;
        await this.alarms.set(vendor, [{ taskId, number: pollNumber, delayMs: waitMs }]);
        this.failpoints.reach('after-alarm');
        return accepted;
      }
      const now = await this.tasks.find(task.taskId);
      if (now === null) throw new Error(`${task.taskId} is gone`);
      // A repetition of this very call, whose answer was lost.
      if (now.upstreamTaskId === upstreamTaskId) return now;
      if (isFinalVideoTask(now.state)) {
        await this.#disown(now, taken);
        return now;
      }
      seen = now;
    }
  }

  /** Nobody will pay for it: it is stopped if that can be. */
  async #disown({ taskId, vendor, state }: WorkerVideoTask, { upstreamTaskId, place }: Taken): Promise<void> {
    const outcome = await this.cancelling.cancel(upstreamTaskId, place, new AbortController().signal);
    this.metrics.disowned.inc({ vendor });
    this.logger.error({ taskId, vendor, state, upstreamTaskId, outcome }, 'an upstream took a task that had ended');
  }
}
