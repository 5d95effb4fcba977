import type { TaskId } from '@gateway/contracts';
import type { Tracing } from '@gateway/observability';
import type { WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { RecoverSubmission } from '../recovery/recover-submission.service.js';
import { TaskChannels } from '../task/task-channels.js';
import { TaskLease } from '../task/task-lease.service.js';
import { taskSpan } from '../task/task-span.js';
import { TRACING } from '../tokens.js';
import { AwaitChannel } from './await-channel.service.js';
import { FollowTask } from './follow-task.service.js';

/** Runs one poll job: claim the task, then follow it, recover its submission, or wait for its channel. */
@Injectable()
export class PollTask {
  constructor(
    private readonly lease: TaskLease,
    private readonly channels: TaskChannels,
    private readonly following: FollowTask,
    private readonly recovering: RecoverSubmission,
    private readonly awaiting: AwaitChannel,
    @Inject(TRACING) private readonly tracing: Tracing,
  ) {}

  /** Does nothing if the task has ended, or another worker holds it. */
  async poll(taskId: TaskId, stop: AbortSignal): Promise<void> {
    const task = await this.lease.claim(taskId);
    if (task === null) return;
    try {
      await this.tracing.withSpan('poll video', taskSpan('consumer', task), () => this.#poll(task, stop));
    } catch (error) {
      if (!stop.aborted) throw error;
      // Release now: the next worker need not wait for this lease to expire.
      await this.lease.postpone(task, 0);
    }
  }

  #poll(task: WorkerVideoTask, stop: AbortSignal): Promise<void> {
    const channel = this.channels.channelOf(task);
    if (channel === undefined) return this.awaiting.wait(task);
    if (task.upstreamTaskId === null) return this.recovering.recover(task, channel, stop);
    return this.following.follow(task, task.upstreamTaskId, channel, stop);
  }
}
