import { isGatewayError, type KeyRecord, type StoredVideoTask } from '@gateway/contracts';
import { Injectable } from '@nestjs/common';
import { ReadTasks } from './read-tasks.service.js';
import { TaskChanges } from './task-changes.service.js';

/** Waits until a task meets a condition. Reads it on every published change. */
@Injectable()
export class WaitForTask {
  constructor(
    private readonly tasks: ReadTasks,
    private readonly changes: TaskChanges,
  ) {}

  /** Returns the task once the condition holds, or its last known state when the signal aborts. */
  async until(
    key: KeyRecord,
    seen: StoredVideoTask,
    isDone: (task: StoredVideoTask) => boolean,
    signal: AbortSignal,
  ): Promise<StoredVideoTask> {
    let task = seen;
    while (!isDone(task) && !signal.aborted) {
      const change = this.changes.next(task.taskId, signal);
      task = await this.#read(key, task);
      if (!isDone(task)) await change;
    }
    return task;
  }

  /** A database that is briefly away must not end the wait. */
  async #read(key: KeyRecord, seen: StoredVideoTask): Promise<StoredVideoTask> {
    try {
      return await this.tasks.find(key, seen.taskId);
    } catch (error) {
      if (isGatewayError(error) && error.code === 'service_unavailable') return seen;
      throw error;
    }
  }
}
