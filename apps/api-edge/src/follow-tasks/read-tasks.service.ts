import { findModel } from '@gateway/catalogue';
import {
  type AccountEvent,
  ENDPOINTS,
  type FileAddresses,
  GatewayError,
  isFinalVideoTask,
  type KeyRecord,
  RESULT_LINK_SECONDS,
  renderVideoTask,
  type StoredVideoTask,
  TASK_ID,
  VIDEOS_PATH,
  type VideoListQuery,
  type VideoTaskList,
  type VideoTaskRecord,
} from '@gateway/contracts';
import { mayUseEndpoint, mayUseModel } from '@gateway/intake';
import { formatUsd } from '@gateway/money';
import type { StoredObjects, TaskQuery, TaskReader } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { unlessAway } from '../http/unless-away.js';
import { FILE_ADDRESSES, STORED_OBJECTS, TASK_READER } from '../tokens.js';
import { decodeTaskCursor, encodeTaskCursor } from './task-cursor.js';

const ENDPOINT = 'videos.generations';

interface TaskPageQuery extends Omit<TaskQuery, 'models'> {
  readonly model?: string | undefined;
}

interface TaskPage {
  readonly tasks: readonly StoredVideoTask[];
  /** Undefined: there is no page after this one. */
  readonly last: StoredVideoTask | undefined;
}

/** Reads the tasks that a key may see: those of its account and its models. A test key sees only test tasks. */
@Injectable()
export class ReadTasks {
  constructor(
    @Inject(TASK_READER) private readonly reader: TaskReader,
    @Inject(FILE_ADDRESSES) private readonly addresses: FileAddresses,
    @Inject(STORED_OBJECTS) private readonly objects: Pick<StoredObjects, 'deleteResults'>,
  ) {}

  /** The task in the public format. Addresses of kept results begin with `origin`, by which the client reaches this edge. */
  record(task: StoredVideoTask, origin: string): VideoTaskRecord {
    return renderVideoTask(task, formatUsd, (fileId) => this.addresses.sign(origin, fileId, RESULT_LINK_SECONDS));
  }

  /** By `task_…` or the upstream's `cgt-…` id. Throws 404, also for a task of another account. */
  async find(key: KeyRecord, id: string): Promise<StoredVideoTask> {
    this.#checkEndpoint(key);
    return visibleTo(key, TASK_ID.test(id) ? await orUnavailable(this.reader.findTask(accessOf(key), id)) : null);
  }

  /** Records the cancellation request and returns the task. Throws 404. */
  async requestCancel(key: KeyRecord, id: string): Promise<StoredVideoTask> {
    await this.find(key, id);
    return visibleTo(key, await orUnavailable(this.reader.requestCancel(accessOf(key), id)));
  }

  /** Deletes the files of an ended task. Returns how many there were. Throws 404, or 409 while the task runs. */
  async deleteMedia(key: KeyRecord, id: string): Promise<number> {
    const { taskId, accountId, isTest, state } = await this.find(key, id);
    if (!isFinalVideoTask(state)) throw stillRunning();
    return orUnavailable(this.objects.deleteResults({ accountId, isTest }, taskId));
  }

  /** One page, newest first. */
  async list(key: KeyRecord, { cursor, ...query }: VideoListQuery, origin: string): Promise<VideoTaskList> {
    const after = cursor === undefined ? null : decodeTaskCursor(cursor);
    const { tasks, last } = await this.page(key, { ...query, after });
    return {
      object: 'list',
      data: tasks.map((task) => this.record(task, origin)),
      next_cursor: last === undefined ? null : encodeTaskCursor(last),
      has_more: last !== undefined,
    };
  }

  /** `model`: by id or alias. */
  async page(key: KeyRecord, { limit, model, ...query }: TaskPageQuery): Promise<TaskPage> {
    this.#checkEndpoint(key);
    const models = modelFilter(key, model);
    // One more task shows whether there is another page.
    const found = await orUnavailable(
      this.reader.listTasks(accessOf(key), {
        ...query,
        limit: limit + 1,
        ...(models !== null && { models }),
      }),
    );
    const tasks = found.slice(0, limit);
    return { tasks, last: found.length > limit ? tasks.at(-1) : undefined };
  }

  /** Up to `limit` events of a task after `lastEventId`, oldest first. From the first event if that id is unknown. */
  async eventsAfter(
    task: StoredVideoTask,
    lastEventId: string | null,
    limit: number,
  ): Promise<readonly AccountEvent[]> {
    const { accountId, taskId } = task;
    const read = (after: string | null) => orUnavailable(this.reader.eventsAfter(accountId, taskId, { after, limit }));
    return (await read(lastEventId)) ?? (await read(null)) ?? [];
  }

  #checkEndpoint(key: KeyRecord): void {
    if (mayUseEndpoint(key, ENDPOINT)) return;
    throw new GatewayError(
      'permission_denied',
      `This key may not be used on ${VIDEOS_PATH} or ${ENDPOINTS[ENDPOINT].path}.`,
    );
  }
}

const accessOf = ({ accountId, isTest }: KeyRecord) => ({ accountId, onlyTest: isTest });

/** Filter of a list: the requested model, by id or alias, if the key may use it. Null lists all models. */
function modelFilter(key: KeyRecord, requested: string | undefined): readonly string[] | null {
  if (requested === undefined) return key.models;
  const id = findModel(requested)?.id ?? requested;
  return mayUseModel(key, { id }) ? [id] : [];
}

const orUnavailable = <Found>(query: Promise<Found>): Promise<Found> => unlessAway(query, unavailable);

const unavailable = (): GatewayError =>
  new GatewayError('service_unavailable', 'Video tasks are not available right now, try again shortly.', {
    retryAfterMs: 1_000,
  });

const stillRunning = (): GatewayError =>
  new GatewayError(
    'request_in_progress',
    'The task still runs. Cancel it first, or delete its media when it has ended.',
    {
      param: 'id',
      retryAfterMs: 1_000,
    },
  );

function visibleTo(key: KeyRecord, task: StoredVideoTask | null): StoredVideoTask {
  if (task !== null && mayUseModel(key, { id: task.model })) return task;
  throw new GatewayError('not_found', 'There is no such video task.', { param: 'id' });
}
