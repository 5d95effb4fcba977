import type { TaskId } from '@gateway/contracts';
import { type Logger, Seldom, type Tracing } from '@gateway/observability';
import type { TaskStore, WorkedVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, TASK_STORE, TRACING, WORKER_CONFIG, WORKER_ID, type WorkerConfig } from './doors.js';
import { endWithout } from './finish-task/end-of-task.js';
import { FinishTask } from './finish-task/finish-task.service.js';
import { FollowTask } from './follow-task.service.js';
import { RecoverLost } from './recover-lost.service.js';
import { ScheduleLook } from './schedule-look.service.js';
import { TaskChannels } from './task-channels.js';
import { taskSpan } from './task-span.js';
import { WORKER_METRICS, type WorkerMetrics } from './worker-metrics.js';

/** A look that takes longer has died with its worker: asking, stopping and asking again, and the turns between them. */
const LEASE_SLACK_MS = 5_000;
const CALLS_OF_A_LOOK = 3;

const UNREACHABLE = {
  code: 'task_unreachable',
  message: 'The upstream of the task can no longer be asked. Nothing is charged.',
};

/** The spine of an alarm: one worker alone takes the task up, looks at it, and puts it down or ends it. */
@Injectable()
export class LookAtTask {
  readonly #seldom = new Seldom();

  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    @Inject(WORKER_ID) private readonly workerId: string,
    private readonly channels: TaskChannels,
    private readonly following: FollowTask,
    private readonly recovering: RecoverLost,
    private readonly finishing: FinishTask,
    private readonly next: ScheduleLook,
    @Inject(WORKER_CONFIG) private readonly config: WorkerConfig,
    @Inject(WORKER_METRICS) private readonly metrics: WorkerMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TRACING) private readonly tracing: Tracing,
  ) {}

  /** Does nothing if the task has ended, or another worker is at it. */
  async look(taskId: TaskId, stop: AbortSignal): Promise<void> {
    const leaseMs = this.config.pollTimeoutMs * CALLS_OF_A_LOOK + LEASE_SLACK_MS;
    const task = await this.tasks.claimPoll(taskId, this.workerId, leaseMs);
    if (task === null) return;
    try {
      await this.tracing.within('look at video', taskSpan('consumer', task), () => this.#lookAt(task, stop));
    } catch (error) {
      if (!stop.aborted) throw error;
      // The next worker need not wait for this one's lease.
      await this.next.postpone(task, 0);
    }
  }

  async #lookAt(task: WorkedVideoTask, stop: AbortSignal): Promise<void> {
    const place = this.channels.placeOf(task);
    if (place === undefined) return this.#withoutChannel(task);
    if (task.upstreamTaskId === null) return this.recovering.recover(task, place, stop);
    return this.following.follow(task, task.upstreamTaskId, place, stop);
  }

  /** Only the credential that submitted it could ask. It may come back with the next release, until the task's time is over. */
  async #withoutChannel(task: WorkedVideoTask): Promise<void> {
    const { taskId, vendor, channelId, expiresAtMs } = task;
    this.metrics.lostChannels.inc({ vendor });
    this.#seldom.tell(`${channelId}`, () =>
      this.logger.error({ taskId, vendor, channel: channelId }, 'a task runs on a channel that is not configured'),
    );
    const leftMs = expiresAtMs - Date.now();
    if (leftMs > 0) return this.next.postpone(task, Math.min(leftMs, this.config.pollSlowestMs));
    await this.finishing.finish(task, (seen) => endWithout(seen, 'expired', UNREACHABLE, Date.now()));
  }
}
