import type { Directives } from '../../../directives/directives.js';
import { textOf } from '../../../json/fields.js';
import { pollTask } from '../../../tasks/poll-task.js';
import type { VideoTask } from '../../../tasks/video-task.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../../vendor-emulator.js';
import { newUuid } from '../../vendor-ids.js';
import { isMultimodalModel } from '../multimodal-generation.route.js';
import { invalid, nativeErrors, nativeHeaders, parseNativeBody, refuse, refuseModel } from '../native-errors.js';
import type { DashScopeVideoJob } from './dashscope-video-job.js';
import { readVideoJob } from './read-video-job.js';
import { STATUS, taskBody, unknownTask } from './task-body.js';
import { findVideoModel } from './video-models.js';

type Task = VideoTask<DashScopeVideoJob>;
const DAY_MS = 24 * 60 * 60 * 1_000;
const TIME = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/;
const DEFAULT_PAGE_SIZE = 10;
const MAX_PAGE_SIZE = 100;
const ACCOUNT = '1700000000000000';

/** Parses `20261103101502`, in Beijing time. */
function readTime(name: string, text: string | undefined, fallbackMs: number): number {
  if (text === undefined) return fallbackMs;
  const [, year, month, day, hours, minutes, seconds] = TIME.exec(text) ?? [];
  const atMs = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}+08:00`);
  if (Number.isNaN(atMs)) throw invalid(`${name} should be in the format of YYYYMMDDhhmmss`);
  return atMs;
}

function readCount(name: string, text: string | undefined, fallback: number, max: number): number {
  const count = Number(text ?? fallback);
  if (!Number.isInteger(count) || count < 1 || count > max) throw invalid(`Range of ${name} should be [1, ${max}]`);
  return count;
}

/** Default: the last 24 hours, which is also the maximum. */
function readTaskFilter(query: IncomingRequest['query']) {
  const toMs = readTime('end_time', query.end_time, Date.now());
  const fromMs = readTime('start_time', query.start_time, toMs - DAY_MS);
  if (toMs < fromMs || toMs - fromMs > DAY_MS) throw invalid('The time range should not be larger than 24 hours');
  if (query.status !== undefined && !Object.values(STATUS).includes(query.status)) {
    throw invalid(`status should be one of ${[...new Set(Object.values(STATUS))].join(', ')}`);
  }
  return {
    taskId: query.task_id,
    model: query.model_name,
    status: query.status,
    fromMs,
    toMs,
    page: readCount('page_no', query.page_no, 1, Number.MAX_SAFE_INTEGER),
    pageSize: readCount('page_size', query.page_size, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE),
  };
}

const lineOf = (task: Task): object => ({
  api_key_id: '100001',
  caller_parent_id: ACCOUNT,
  caller_uid: ACCOUNT,
  gmt_create: task.createdAtMs,
  ...(task.startedAtMs < Infinity && { start_time: task.startedAtMs }),
  ...(task.endedAtMs < Infinity && { end_time: task.endedAtMs }),
  region: 'ap-southeast-1',
  request_id: task.job.requestId,
  status: STATUS[task.state],
  task_id: task.id,
  user_api_unique_key: 'apikey:v1:aigc:video-generation:video-synthesis',
  model_name: task.job.model,
});

/** One page of the tasks that match the filter. */
function taskPage(tasks: readonly Task[], filter: ReturnType<typeof readTaskFilter>): object {
  const { taskId, model, status, fromMs, toMs, page, pageSize } = filter;
  const found = tasks.filter(
    (task) =>
      (taskId === undefined || task.id === taskId) &&
      (model === undefined || task.job.model === model) &&
      (status === undefined || STATUS[task.state] === status) &&
      task.createdAtMs >= fromMs &&
      task.createdAtMs <= toMs,
  );
  return {
    total: found.length,
    total_page: Math.ceil(found.length / pageSize),
    page_no: page,
    page_size: pageSize,
    data: found.slice((page - 1) * pageSize, page * pageSize).map(lineOf),
  };
}

const handle = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const request = parseNativeBody(incoming);
  const name = textOf(request.model);
  if (name === '') throw invalid('Field required: model');
  incoming.record.model = name;
  if (incoming.headers['x-dashscope-async'] !== 'enable') {
    throw refuse(403, 'AccessDenied', 'current user api does not support synchronous calls.');
  }
  const model = findVideoModel(name);
  if (model === undefined) throw refuseModel(isMultimodalModel(name));
  const requestId = newUuid();
  const job = readVideoJob(request, model, incoming, memory, requestId);
  return {
    kind: 'rendered',
    directives: job.directives,
    headers: nativeHeaders(requestId),
    usage: null,
    whole: () => {
      const task = memory.tasks.dashscope.start({ id: newUuid(), job, body: incoming.body });
      incoming.record.upstreamId = task.id;
      incoming.record.task = task;
      return JSON.stringify({ request_id: requestId, output: { task_id: task.id, task_status: 'PENDING' } });
    },
  };
};

export const videoSynthesisRoute: Route = {
  method: 'POST',
  path: '/api/v1/services/aigc/video-generation/video-synthesis',
  protocol: 'dashscope-video',
  handle,
  errors: nativeErrors,
};

const NO_FAULTS: Directives = {};

const replyOf = (body: object, directives = NO_FAULTS): RenderedReply => {
  const requestId = newUuid();
  return {
    kind: 'rendered',
    directives,
    headers: nativeHeaders(requestId),
    usage: null,
    whole: () => JSON.stringify({ request_id: requestId, ...body }),
  };
};

/** The credential; throws 429 above its query limit. */
function admitted({ credential = '' }: IncomingRequest, { tasks }: Memory): string {
  if (!tasks.dashscope.queries.admit(credential)) throw refuse(429, 'Throttling', 'Requests throttling triggered.');
  return credential;
}

const query = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const id = incoming.params.id ?? '';
  incoming.record.upstreamId = id;
  const task = memory.tasks.dashscope.find(id, admitted(incoming, memory));
  if (task === undefined) return replyOf(unknownTask(id));
  incoming.record.model = task.job.model;
  const { state, faults } = pollTask(task);
  return replyOf(taskBody(task, state, memory.results), faults);
};

const list = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const tasks = memory.tasks.dashscope.list(admitted(incoming, memory));
  return replyOf(taskPage(tasks, readTaskFilter(incoming.query)));
};

const cancel = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const id = incoming.params.id ?? '';
  incoming.record.upstreamId = id;
  const task = memory.tasks.dashscope.find(id, incoming.credential ?? '');
  if (task?.state !== 'queued' || task.job.directives.refusesCancel === true) {
    throw refuse(
      400,
      'UnsupportedOperation',
      'Failed to cancel the task, please confirm if the task is in PENDING status.',
    );
  }
  memory.tasks.dashscope.change(id, () => task.cancel());
  return replyOf({});
};

const common = { protocol: 'dashscope-tasks', errors: nativeErrors } as const;

export const taskRoutes: readonly Route[] = [
  { ...common, method: 'GET', path: '/api/v1/tasks/:id', handle: query },
  { ...common, method: 'GET', path: '/api/v1/tasks/', handle: list },
  { ...common, method: 'GET', path: '/api/v1/tasks', handle: list },
  { ...common, method: 'POST', path: '/api/v1/tasks/:id/cancel', handle: cancel },
];
