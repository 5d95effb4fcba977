import type { Directives } from '../../../directives/directives.js';
import { pollTask } from '../../../tasks/poll-task.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../../vendor-emulator.js';
import { newUuid } from '../../vendor-ids.js';
import { nativeErrors, nativeHeaders, refuseNative } from '../native-errors.js';
import { taskBody, unknownTask } from './task-body.js';
import { readTaskFilter, taskPage } from './task-list.js';

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

/** The account's tasks, if it does not ask too often. */
function admitted({ credential = '' }: IncomingRequest, { tasks }: Memory): string {
  if (!tasks.dashscope.queries.admit(credential)) {
    throw refuseNative(429, 'Throttling', 'Requests throttling triggered.');
  }
  return credential;
}

const query = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const id = incoming.params.id ?? '';
  incoming.record.upstreamId = id;
  const task = memory.tasks.dashscope.find(id, admitted(incoming, memory));
  if (task === undefined) return replyOf(unknownTask(id));
  incoming.record.model = task.spec.model;
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
  if (task?.state !== 'queued' || task.spec.directives.refusesCancel === true) {
    throw refuseNative(
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
