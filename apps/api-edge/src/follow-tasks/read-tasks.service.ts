import { findModel } from '@gateway/catalogue';
import {
  type AccountEvent,
  ENDPOINTS,
  GatewayError,
  type KeyRecord,
  renderVideoTask,
  type StoredVideoTask,
  type VideoListQuery,
  type VideoTaskList,
  type VideoTaskRecord,
} from '@gateway/contracts';
import { mayUseModel } from '@gateway/intake';
import { formatUsd } from '@gateway/money';
import type { TaskReader } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { TASK_DIRECTORY } from '../postgres-doors.js';
import { cursorOf, placeOf } from './place-of-task.js';

const ENDPOINT = 'videos.generations';
/** What tasks are called: of another word the database need not be asked. */
const TASK_ID = /^[a-zA-Z0-9_-]{1,100}$/;

/** A task as customers see it. */
export const recordOf = (task: StoredVideoTask): VideoTaskRecord => renderVideoTask(task, formatUsd);

/** The tasks of an account, as far as a key may see them: all of its models, and a test key those of tests only. */
@Injectable()
export class ReadTasks {
  constructor(@Inject(TASK_DIRECTORY) private readonly directory: TaskReader) {}

  /** By `task_…` or the upstream's `cgt-…`. Throws 404, also for a task of another account. */
  async find(key: KeyRecord, id: string): Promise<StoredVideoTask> {
    this.#mayRead(key);
    return seenBy(key, TASK_ID.test(id) ? await known(this.directory.findTask(readerOf(key), id)) : null);
  }

  /** The same, once it is noted that its customer wants it stopped. */
  async requestCancel(key: KeyRecord, id: string): Promise<StoredVideoTask> {
    await this.find(key, id);
    return seenBy(key, await known(this.directory.requestCancel(readerOf(key), id)));
  }

  /** The newest first. */
  async list(key: KeyRecord, { limit, cursor, status, model }: VideoListQuery): Promise<VideoTaskList> {
    this.#mayRead(key);
    const after = cursor === undefined ? null : placeOf(cursor);
    const models = modelsShown(key, model);
    const found = await known(
      this.directory.listTasks(readerOf(key), {
        after,
        // One more tells whether there is another page.
        limit: limit + 1,
        ...(status !== undefined && { status }),
        ...(models !== null && { models }),
      }),
    );
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const hasMore = found.length > limit && last !== undefined;
    return {
      object: 'list',
      data: page.map(recordOf),
      next_cursor: hasMore ? cursorOf(last) : null,
      has_more: hasMore,
    };
  }

  /** Of one task, the oldest first: at most so many after the one that was seen last, or all over if that is not known. */
  async eventsAfter(
    task: StoredVideoTask,
    lastEventId: string | null,
    limit: number,
  ): Promise<readonly AccountEvent[]> {
    const { accountId, taskId } = task;
    const read = (after: string | null) => known(this.directory.eventsAfter(accountId, taskId, { after, limit }));
    return (await read(lastEventId)) ?? (await read(null)) ?? [];
  }

  #mayRead({ endpoints }: KeyRecord): void {
    if (endpoints === null || endpoints.includes(ENDPOINT)) return;
    throw new GatewayError('permission_denied', `This key may not be used on ${ENDPOINTS[ENDPOINT].path}.`);
  }
}

const readerOf = ({ accountId, isTest }: KeyRecord) => ({ accountId, onlyTest: isTest });

/** Of which models a list is: of the one that is asked for, by whichever of its names, as far as the key may see it. Null: of all. */
function modelsShown(key: KeyRecord, asked: string | undefined): readonly string[] | null {
  if (asked === undefined) return key.models;
  const id = findModel(asked)?.id ?? asked;
  return mayUseModel(key, { id }) ? [id] : [];
}

/** Whoever cannot be asked may be asked again: nothing has happened to the task. */
async function known<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch {
    throw new GatewayError('service_unavailable', 'Tasks cannot be looked up right now, try again shortly.', {
      retryAfterMs: 1_000,
    });
  }
}

function seenBy(key: KeyRecord, task: StoredVideoTask | null): StoredVideoTask {
  if (task !== null && mayUseModel(key, { id: task.model })) return task;
  throw new GatewayError('not_found', 'There is no such video task.', { param: 'id' });
}
