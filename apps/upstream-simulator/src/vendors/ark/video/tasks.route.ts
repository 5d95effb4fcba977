import type { Directives } from '../../../directives/directives.js';
import { textOf } from '../../../json/fields.js';
import type { ResultStore } from '../../../results/result-store.js';
import { pollTask } from '../../../tasks/poll-task.js';
import { isOpen } from '../../../tasks/timetable.js';
import type { VideoTask } from '../../../tasks/video-task.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../../vendor-emulator.js';
import { newId } from '../../vendor-ids.js';
import { arkHeaders, invalid, missing, parseBody, refuse, unknownModel, videoErrors } from '../ark-errors.js';
import type { ArkVideoJob } from './ark-video-job.js';
import { readVideoJob } from './read-video-job.js';
import { findSeedanceModel, stripRegion } from './seedance-models.js';
import { taskBody } from './task-body.js';

type Task = VideoTask<ArkVideoJob>;
const DEFAULT_PAGE_SIZE = 10;
const MAX_PAGE = 500;

function readCount(query: IncomingRequest['query'], name: string, fallback: number): number {
  const count = Number(query[name] ?? fallback);
  if (!Number.isInteger(count) || count < 1 || count > MAX_PAGE) {
    throw invalid(name, `must be between 1 and ${MAX_PAGE}`);
  }
  return count;
}

export type TaskQuery = Readonly<{ total: number; tasks: readonly Task[] }>;

/** `filter.task_ids` may be repeated. */
function readPage(tasks: readonly Task[], query: IncomingRequest['query']): TaskQuery {
  const [page, size] = [readCount(query, 'page_num', 1), readCount(query, 'page_size', DEFAULT_PAGE_SIZE)];
  const ids = [query['filter.task_ids']].flat().filter((id) => id !== undefined);
  const resolved: readonly (readonly [string | undefined, (task: Task) => string])[] = [
    [query['filter.status'], (task) => task.state],
    [query['filter.model'], (task) => task.job.model],
    [query['filter.service_tier'], (task) => task.job.serviceTier],
  ];
  const found = tasks.filter(
    (task) =>
      (ids.length === 0 || ids.includes(task.id)) &&
      resolved.every(([value, of]) => value === undefined || of(task) === value),
  );
  return { total: found.length, tasks: found.slice((page - 1) * size, page * size) };
}

const RESPONSE_TIMEOUT_MS = 5_000;
const FINAL_STATE_RETRIES = 3;

/** The receiver's status; null without a response in time. */
async function post(url: string, body: string): Promise<number | null> {
  try {
    const headers = { 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    await response.body?.cancel();
    return response.status;
  } catch {
    // An unreachable receiver is one failed delivery: recorded and retried.
    return null;
  }
}

/** Posts a task's state to its callback address; retries a final state. */
function sendCallback(task: VideoTask<ArkVideoJob>, url: string, results: ResultStore): void {
  const { state } = task;
  if (state === 'cancelled' || task.job.directives.taskVanishes === true) return;
  const body = JSON.stringify(taskBody(task, state, results));
  const retries = state === 'succeeded' || state === 'failed' ? FINAL_STATE_RETRIES : 0;
  const attempt = async (left: number): Promise<void> => {
    const status = await post(url, body);
    task.callbacks.push({ state, status });
    const isAcknowledged = status !== null && status >= 200 && status < 300;
    if (!isAcknowledged && left > 0) await attempt(left - 1);
  };
  void attempt(retries);
}

const PATH = '/api/v3/contents/generations/tasks';
const HOURS_EAST_MS = 8 * 60 * 60 * 1_000;
const NO_FAULTS: Directives = {};

const replyOf = (whole: () => object, directives = NO_FAULTS): RenderedReply => ({
  kind: 'rendered',
  directives,
  headers: arkHeaders(),
  usage: null,
  whole: () => JSON.stringify(whole()),
});

/** Such as `cgt-20261103101502-t8rzv`, in Beijing time. */
const newTaskId = (): string => {
  const stamp = new Date(Date.now() + HOURS_EAST_MS).toISOString().replace(/\D/g, '').slice(0, 14);
  return `cgt-${stamp}-${newId(5)}`;
};

const create = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const request = parseBody(incoming);
  const model = textOf(request.model);
  if (model === '') throw missing('model');
  incoming.record.model = model;
  const traits = findSeedanceModel(model);
  if (traits === undefined || memory.calendar.isRetired('ark', stripRegion(model))) throw unknownModel(model);
  const job = readVideoJob(request, model, traits, incoming, memory);
  const { callbackUrl } = job;
  return replyOf(() => {
    const task = memory.tasks.ark.start({
      id: newTaskId(),
      job,
      body: incoming.body,
      ...(callbackUrl !== null && { onChange: (changed) => sendCallback(changed, callbackUrl, memory.results) }),
    });
    incoming.record.upstreamId = task.id;
    incoming.record.task = task;
    return { id: task.id };
  }, job.directives);
};

/** The task of the path; 404 for another account. */
function find(incoming: IncomingRequest, memory: Memory): VideoTask<ArkVideoJob> {
  const id = incoming.params.id ?? '';
  incoming.record.upstreamId = id;
  const task = memory.tasks.ark.find(id, incoming.credential ?? '');
  if (task === undefined) {
    throw refuse(404, {
      code: 'NotFound.id',
      message: `The specified task ${id} is not found.`,
      type: 'NotFound',
      param: 'id',
    });
  }
  incoming.record.model = task.job.model;
  return task;
}

const query = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const task = find(incoming, memory);
  const { state, faults } = pollTask(task);
  return replyOf(() => taskBody(task, state, memory.results), faults);
};

const list = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const { total, tasks } = readPage(memory.tasks.ark.list(incoming.credential ?? ''), incoming.query);
  return replyOf(() => ({ total, items: tasks.map((task) => taskBody(task, task.state, memory.results)) }));
};

/** Cancels a queued task, deletes the record of an ended one. */
const remove = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const task = find(incoming, memory);
  const { state } = task;
  const isRefused = state === 'queued' && task.job.directives.refusesCancel === true;
  if (state === 'running' || state === 'cancelled' || isRefused) {
    throw refuse(403, {
      code: 'OperationDenied.InvalidState',
      message: `The request failed because the task cannot be deleted in its current state: ${isRefused ? 'running' : state}.`,
      type: 'Forbidden',
    });
  }
  memory.tasks.ark.change(task.id, () => (isOpen(state) ? task.cancel() : task.forget()));
  return replyOf(() => ({}));
};

export const taskRoutes: readonly Route[] = [
  { method: 'POST', path: PATH, protocol: 'ark-video', handle: create, errors: videoErrors },
  { method: 'GET', path: `${PATH}/:id`, protocol: 'ark-tasks', handle: query, errors: videoErrors },
  { method: 'GET', path: PATH, protocol: 'ark-tasks', handle: list, errors: videoErrors },
  { method: 'DELETE', path: `${PATH}/:id`, protocol: 'ark-tasks', handle: remove, errors: videoErrors },
];
