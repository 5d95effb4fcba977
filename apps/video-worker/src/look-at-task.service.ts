import type { TaskId } from '@gateway/contracts';
import type { Tracing } from '@gateway/observability';
import type { WorkerVideoTask } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { AwaitChannel } from './await-channel.service.js';
import { TRACING } from './doors.js';
import { FollowTask } from './follow-task.service.js';
import { RecoverLost } from './recover-lost.service.js';
import { ScheduleLook } from './schedule-look.service.js';
import { TaskChannels } from './task-channels.js';
import { taskSpan } from './task-span.js';

/** The spine of an alarm: one worker alone takes the task up, looks at it, and puts it down or ends it. */
@Injectable()
export class LookAtTask {
  constructor(
    private readonly schedule: ScheduleLook,
    private readonly channels: TaskChannels,
    private readonly following: FollowTask,
    private readonly recovering: RecoverLost,
    private readonly awaiting: AwaitChannel,
    @Inject(TRACING) private readonly tracing: Tracing,
  ) {}

  /** Does nothing if the task has ended, or another worker is at it. */
  async look(taskId: TaskId, stop: AbortSignal): Promise<void> {
    const task = await this.schedule.takeUp(taskId);
    if (task === null) return;
    try {
      await this.tracing.withSpan('look at video', taskSpan('consumer', task), () => this.#lookAt(task, stop));
    } catch (error) {
      if (!stop.aborted) throw error;
      // The next worker need not wait for this one's lease.
      await this.schedule.postpone(task, 0);
    }
  }

  #lookAt(task: WorkerVideoTask, stop: AbortSignal): Promise<void> {
    const place = this.channels.placeOf(task);
    if (place === undefined) return this.awaiting.wait(task);
    if (task.upstreamTaskId === null) return this.recovering.recover(task, place, stop);
    return this.following.follow(task, task.upstreamTaskId, place, stop);
  }
}
