import { Describe } from '@gateway/api-description';
import { findModel } from '@gateway/catalogue';
import { GatewayError, isFinalVideoTask, TASK_ID } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import {
  type Database,
  deleteResults,
  findTask,
  listTasks,
  requestCancel,
  type WorkerVideoTask,
} from '@gateway/postgres';
import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AllowAccountRead, AllowSession } from '../guards/access.js';
import { type AccountCaller, AuthenticatedCaller, isTestCaller } from '../guards/caller.js';
import { decodePlace, encodePlace, readPage } from '../http/cursor.js';
import { sendList } from '../http/send-list.js';
import { DATABASE } from '../tokens.js';
import { FileLinks } from './file-links.service.js';
import { MEDIA, taskListing } from './media.description.js';
import { ModelPace } from './model-pace.service.js';
import { PollNow } from './poll-now.service.js';
import { TASK_COLUMNS, type TaskView, taskView } from './task-view.js';

const accessOf = (caller: AccountCaller) => ({ accountId: caller.account.id, onlyTest: isTestCaller(caller) });

const unknown = () => new GatewayError('not_found', 'There is no such video task.', { param: 'id' });

const stillRunning = () =>
  new GatewayError(
    'request_in_progress',
    'The task still runs. Cancel it first, or delete its media when it has ended.',
    {
      param: 'id',
    },
  );

/** The video tasks of an account, for its members and its keys that read the account. */
@Controller('account/tasks')
export class TasksController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly pace: ModelPace,
    private readonly links: FileLinks,
    private readonly pollNow: PollNow,
  ) {}

  /** The newest first. */
  @Describe(MEDIA.tasks)
  @AllowAccountRead('viewer')
  @Get()
  async list(
    @AuthenticatedCaller() caller: AccountCaller,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { status, model, ...page } = parse(taskListing, query);
    const models = model === undefined ? undefined : [findModel(model)?.id ?? model];
    return sendList<TaskView>(reply, page, {
      filename: 'tasks.csv',
      columns: TASK_COLUMNS,
      read: async (limit, cursor) => {
        const filter = { ...(status !== undefined && { status }), ...(models !== undefined && { models }) };
        const after = afterCursor(cursor);
        const { rows, next_cursor } = await readPage(
          limit,
          (count) => listTasks(this.database, accessOf(caller), { after, limit: count, ...filter }),
          cursorAfter,
        );
        return { data: await this.#views(rows), next_cursor };
      },
    });
  }

  @Describe(MEDIA.task)
  @AllowAccountRead('viewer')
  @Get(':id')
  async show(@AuthenticatedCaller() caller: AccountCaller, @Param('id') id: string): Promise<TaskView> {
    return this.#view(TASK_ID.test(id) ? await findTask(this.database, accessOf(caller), id) : null);
  }

  /** Records the request to cancel. The worker that polls the task carries it out, and an event announces its end. */
  @Describe(MEDIA.cancelTask)
  @AllowSession('developer')
  @Post(':id/cancel')
  @HttpCode(200)
  async cancel(@AuthenticatedCaller() caller: AccountCaller, @Param('id') id: string): Promise<TaskView> {
    const task = TASK_ID.test(id) ? await requestCancel(this.database, accessOf(caller), id) : null;
    if (task?.cancelOutcome === 'pending') await this.pollNow.poll(task);
    return this.#view(task);
  }

  /** The task stays: it says what was charged. */
  @Describe(MEDIA.deleteTaskMedia)
  @AllowSession('developer')
  @Delete(':id/media')
  async deleteMedia(@AuthenticatedCaller() caller: AccountCaller, @Param('id') id: string) {
    const task = TASK_ID.test(id) ? await findTask(this.database, accessOf(caller), id) : null;
    if (task === null) throw unknown();
    const { taskId, accountId, isTest, state } = task;
    if (!isFinalVideoTask(state)) throw stillRunning();
    const deleted = await deleteResults(this.database, { accountId, isTest }, taskId);
    return { id: taskId, object: 'video.media', deleted } as const;
  }

  async #view(task: WorkerVideoTask | null): Promise<TaskView> {
    const [view] = task === null ? [] : await this.#views([task]);
    if (view === undefined) throw unknown();
    return view;
  }

  async #views(tasks: readonly WorkerVideoTask[]): Promise<readonly TaskView[]> {
    const paces = await this.pace.of(tasks.map(({ model }) => model));
    return tasks.map((task) => taskView(task, paces.get(task.model) ?? null, this.links));
  }
}

const cursorAfter = ({ createdAtMs, taskId }: WorkerVideoTask): string =>
  encodePlace({ atMs: createdAtMs, id: taskId });

function afterCursor(cursor: string | undefined) {
  const place = decodePlace(cursor, /task_[a-z0-9]{26}/);
  return place === null ? null : { createdAtMs: place.atMs, taskId: place.id };
}
