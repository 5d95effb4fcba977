import type { AccountEvent } from '@gateway/contracts';
import { type DatabaseOptions, openDatabase } from '../database.js';
import { type EventQuery, eventsAfter } from '../events/events-after.js';
import { requestCancel } from './cancel-task.js';
import { findTask, findTaskByIdempotencyKey, type TaskAccess } from './find-task.js';
import { listTasks, type TaskQuery } from './list-tasks.js';
import type { WorkerVideoTask } from './video-task-row.js';

/** All that a service which only shows tasks, and passes on that they are to be cancelled, needs of Postgres. */
export interface TaskReader {
  /** By either of its names. Null: there is none, or it is another account's. */
  findTask(reader: TaskAccess, id: string): Promise<WorkerVideoTask | null>;
  /** The newest first. */
  listTasks(reader: TaskAccess, page: TaskQuery): Promise<readonly WorkerVideoTask[]>;
  /** The task that this key of the client's has been used for. Test keys have a space of their own. */
  findByIdempotencyKey(
    of: { readonly accountId: string; readonly isTest: boolean },
    idempotencyKey: string,
  ): Promise<WorkerVideoTask | null>;
  /** Of one task, by its `task_…` id. Null: the event seen last is not known any more. */
  eventsAfter(
    accountId: string,
    taskId: string,
    page: Pick<EventQuery, 'after' | 'limit'>,
  ): Promise<readonly AccountEvent[] | null>;
  /** Notes that it is to be cancelled, unless it has ended. The task as it is then; null: there is none. */
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
