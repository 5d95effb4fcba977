import { isFinalVideoTask, renderVideoTask, type UpstreamAttempt } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import type { TaskStore, WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import type { Failpoints } from '../failpoints.js';
import { ModelPace } from '../task/model-pace.service.js';
import { firstPollMs } from '../task/next-poll.js';
import { PollJobs } from '../task/poll-jobs.service.js';
import { TaskChangePublisher } from '../task/task-change-publisher.service.js';
import type { TaskChannel } from '../task/task-channels.js';
import { FAILPOINTS, TASK_STORE } from '../tokens.js';
import { OrphanCanceller } from './orphan-canceller.service.js';

/** Ids of this shape are public: customers of the vendor know them. */
const PUBLIC_ID = /^cgt-[A-Za-z0-9_-]{1,120}$/;

/** The upstream task, and the channel and attempts that led to it. */
export interface UpstreamAcceptance {
  readonly upstreamTaskId: string;
  readonly channel: TaskChannel;
  readonly attempts: readonly UpstreamAttempt[];
}

/** Stores that an upstream has accepted a task. Only then may the client get a 202. */
@Injectable()
export class AcceptTask {
  constructor(
    @Inject(TASK_STORE) private readonly tasks: TaskStore,
    private readonly pace: ModelPace,
    private readonly jobs: PollJobs,
    private readonly changes: TaskChangePublisher,
    private readonly orphans: OrphanCanceller,
    @Inject(FAILPOINTS) private readonly failpoints: Failpoints,
  ) {}

  /** Returns the current task. If it has ended meanwhile, the upstream task is cancelled as an orphan. */
  async accept(task: WorkerVideoTask, acceptance: UpstreamAcceptance): Promise<WorkerVideoTask> {
    const { upstreamTaskId, attempts, channel } = acceptance;
    const publicId = PUBLIC_ID.test(upstreamTaskId) ? upstreamTaskId : task.taskId;
    const pace = await this.pace.paceOf(task.model, channel.firstPollMs);
    for (let seen = task; ; ) {
      const nextPollMs = firstPollMs(seen, pace, Date.now());
      const record = renderVideoTask({ ...seen, publicId, state: 'queued' }, formatUsd);
      const accepted = await this.tasks.accept(seen, { upstreamTaskId, publicId, attempts, nextPollMs, record });
      if (accepted !== null) {
        await this.#followUp(accepted, nextPollMs);
        return accepted;
      }
      const current = await this.tasks.find(task.taskId);
      if (current === null) throw new Error(`task ${task.taskId} no longer exists`);
      // An earlier try stored this acceptance, but the database's reply was lost.
      if (current.upstreamTaskId === upstreamTaskId) return current;
      if (isFinalVideoTask(current.state)) {
        await this.orphans.cancel(current, upstreamTaskId, channel);
        return current;
      }
      seen = current;
    }
  }

  async #followUp(accepted: WorkerVideoTask, delayMs: number): Promise<void> {
    this.failpoints.reach('after-accept');
    this.changes.publish(accepted);
    const { taskId, vendor, pollNumber } = accepted;
    await this.jobs.schedule(vendor, [{ taskId, number: pollNumber, delayMs }]);
    this.failpoints.reach('after-poll-job');
  }
}
