import { isGatewayError, type KeyRecord, type StoredVideoTask } from '@gateway/contracts';
import { Injectable } from '@nestjs/common';
import { ReadTasks } from './read-tasks.service.js';
import { TaskChanges } from './task-changes.service.js';

/** Waits for a task to come as far as somebody wants it, and looks at it whenever something is heard of it. */
@Injectable()
export class WaitForTask {
  constructor(
    private readonly tasks: ReadTasks,
    private readonly changes: TaskChanges,
  ) {}

  /** The task once it is so far, or as it was seen last when the signal aborts. */
  async until(
    key: KeyRecord,
    seen: StoredVideoTask,
    isFarEnough: (task: StoredVideoTask) => boolean,
    signal: AbortSignal,
  ): Promise<StoredVideoTask> {
    let task = seen;
    while (!isFarEnough(task) && !signal.aborted) {
      const change = this.changes.next(task.taskId, signal);
      task = await this.#look(key, task);
      if (!isFarEnough(task)) await change;
    }
    return task;
  }

  /** A database that is away for a moment ends no wait. */
  async #look(key: KeyRecord, seen: StoredVideoTask): Promise<StoredVideoTask> {
    try {
      return await this.tasks.find(key, seen.taskId);
    } catch (error) {
      if (isGatewayError(error) && error.code === 'service_unavailable') return seen;
      throw error;
    }
  }
}
