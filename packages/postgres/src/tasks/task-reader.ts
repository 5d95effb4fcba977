import type { AccountEvent } from '@gateway/contracts';
import { type DatabaseOptions, openDatabase } from '../database.js';
import { type EventQuery, eventsAfter } from '../events/events-after.js';
import { requestCancel } from './cancel-task.js';
import { findTask, findTaskByIdempotencyKey, type TaskAccess } from './find-task.js';
import { listTasks, type TaskQuery } from './list-tasks.js';
import type { WorkerVideoTask } from './video-task-row.js';

/** The only access to PostgreSQL of a service that shows tasks and requests their cancellation. */
export interface TaskReader {
  /** By its id or public id. Null: this account has none. */
  findTask(reader: TaskAccess, id: string): Promise<WorkerVideoTask | null>;
  /** The newest first. */
  listTasks(reader: TaskAccess, page: TaskQuery): Promise<readonly WorkerVideoTask[]>;
  /** The task that was created with this idempotency key. Test keys have a namespace of their own. */
  findByIdempotencyKey(
    of: { readonly accountId: string; readonly isTest: boolean },
    idempotencyKey: string,
  ): Promise<WorkerVideoTask | null>;
  /** The events of one task, by its `task_…` id. Null: the event `after` has been removed. */
  eventsAfter(
    accountId: string,
    taskId: string,
    page: Pick<EventQuery, 'after' | 'limit'>,
  ): Promise<readonly AccountEvent[] | null>;
  /** Records the request to cancel a task that has not ended. Returns the task as it is then; null: there is none. */
  requestCancel(reader: TaskAccess, id: string): Promise<WorkerVideoTask | null>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export function openTaskReader(options: DatabaseOptions): TaskReader {
  const database = openDatabase(options);
  return {
    findTask: (reader, id) => findTask(database, reader, id),
    listTasks: (reader, page) => listTasks(database, reader, page),
    findByIdempotencyKey: (of, idempotencyKey) => findTaskByIdempotencyKey(database, of, idempotencyKey),
    eventsAfter: (accountId, taskId, page) => eventsAfter(database, accountId, { ...page, subject: taskId }),
    requestCancel: (reader, id) => requestCancel(database, reader, id),
    ping: database.ping,
    close: database.close,
  };
}
