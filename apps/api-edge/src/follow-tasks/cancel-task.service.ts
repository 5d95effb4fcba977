import { isFinalVideoTask, type KeyRecord, type StoredVideoTask, type Vendor } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { PollQueue } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '../observability-doors.js';
import { POLL_QUEUES } from '../redis-doors.js';
import { ReadTasks } from './read-tasks.service.js';
import { WaitForTask } from './wait-for-task.service.js';

/** How long the answer waits for what the upstream says; the cancellation goes on after it. */
const WAIT_MS = 10_000;

/** Nothing is left to be waited for: it has ended, or its upstream cannot stop it. */
const isSettled = ({ state, cancelOutcome }: StoredVideoTask): boolean =>
  isFinalVideoTask(state) || (cancelOutcome !== null && cancelOutcome !== 'pending');

/** Notes in the table that a task is to be cancelled; the worker that looks after it does the rest. */
@Injectable()
export class CancelTask {
  constructor(
    private readonly tasks: ReadTasks,
    private readonly waits: WaitForTask,
    @Inject(POLL_QUEUES) private readonly queues: ReadonlyMap<Vendor, PollQueue>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The task with what has become of its cancellation; one that has ended is as it was. Throws 404. */
  async cancel(key: KeyRecord, id: string, signal: AbortSignal): Promise<StoredVideoTask> {
    const task = await this.tasks.requestCancel(key, id);
    if (isSettled(task)) return task;
    await this.#ring(task);
    return this.waits.until(key, task, isSettled, AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]));
  }

  /** Has the task looked at now. If that fails its next alarm finds the note. */
  async #ring({ taskId, vendor }: StoredVideoTask): Promise<void> {
    try {
      await this.queues.get(vendor)?.pollNow(taskId);
    } catch (error) {
      this.logger.warn({ err: error, taskId }, 'a cancellation waits for the next look at its task');
    }
  }
}
