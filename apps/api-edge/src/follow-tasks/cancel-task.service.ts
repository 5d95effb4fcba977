import { isFinalVideoTask, type KeyRecord, type StoredVideoTask, type Vendor } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { PollQueue } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, POLL_QUEUES } from '../tokens.js';
import { ReadTasks } from './read-tasks.service.js';
import { WaitForTask } from './wait-for-task.service.js';

/** The response waits this long for the upstream's outcome. The cancellation continues afterwards. */
const WAIT_MS = 10_000;

/** The task has ended, or its upstream has refused to stop it. */
const isDecided = ({ state, cancelOutcome }: StoredVideoTask): boolean =>
  isFinalVideoTask(state) || (cancelOutcome !== null && cancelOutcome !== 'pending');

/** Records the cancellation of a task in the table. The worker that polls the task carries it out. */
@Injectable()
export class CancelTask {
  constructor(
    private readonly tasks: ReadTasks,
    private readonly waits: WaitForTask,
    @Inject(POLL_QUEUES) private readonly queues: ReadonlyMap<Vendor, PollQueue>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Returns the task with the outcome of its cancellation. A finished task is returned unchanged. Throws 404. */
  async cancel(key: KeyRecord, id: string, signal: AbortSignal): Promise<StoredVideoTask> {
    const task = await this.tasks.requestCancel(key, id);
    if (isDecided(task)) return task;
    await this.#pollNow(task);
    return this.waits.until(key, task, isDecided, AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]));
  }

  /** Best effort: the task's next scheduled poll reads the table as well. */
  async #pollNow({ taskId, vendor }: StoredVideoTask): Promise<void> {
    try {
      await this.queues.get(vendor)?.pollNow(taskId);
    } catch (error) {
      this.logger.warn({ err: error, taskId }, 'poll request failed, cancellation waits for the next poll');
    }
  }
}
