import type { Directives } from '../../../directives/directives.js';
import { askTask } from '../../../tasks/ask-task.js';
import type { MadeReply, Memory, Received, Route } from '../../persona.js';
import { newUuid } from '../../vendor-ids.js';
import { nativeErrors, nativeHeaders, refuseNative } from '../native-errors.js';
import { taskBody, unknownTask } from './task-body.js';
import { readTaskFilter, taskPage } from './task-list.js';

const NO_FAULTS: Directives = {};

const replyOf = (body: object, directives = NO_FAULTS): MadeReply => {
  const requestId = newUuid();
  return {
    kind: 'made',
    directives,
    headers: nativeHeaders(requestId),
    usage: null,
    whole: () => JSON.stringify({ request_id: requestId, ...body }),
  };
};

/** The account's tasks, if it does not ask too often. */
function admitted({ credential = '' }: Received, { tasks }: Memory): string {
  if (!tasks.dashscope.queries.admit(credential)) {
    throw refuseNative(429, 'Throttling', 'Requests throttling triggered.');
  }
  return credential;
}

const query = (received: Received, memory: Memory): MadeReply => {
  const id = received.params.id ?? '';
  received.note.upstreamId = id;
  const task = memory.tasks.dashscope.find(id, admitted(received, memory));
  if (task === undefined) {
    return replyOf(unknownTask(id));
  }
  received.note.model = task.order.model;
  const { state, faults } = askTask(task);
  return replyOf(taskBody(task, state, memory.results), faults);
};

const list = (received: Received, memory: Memory): MadeReply => {
  const tasks = memory.tasks.dashscope.list(admitted(received, memory));
  return replyOf(taskPage(tasks, readTaskFilter(received.query)));
};

const cancel = (received: Received, memory: Memory): MadeReply => {
  const id = received.params.id ?? '';
  received.note.upstreamId = id;
  const task = memory.tasks.dashscope.find(id, received.credential ?? '');
  if (task?.state !== 'queued' || task.order.directives.refusesCancel === true) {
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
  { ...common, method: 'GET', path: '/api/v1/tasks/:id', answer: query },
  { ...common, method: 'GET', path: '/api/v1/tasks/', answer: list },
  { ...common, method: 'GET', path: '/api/v1/tasks', answer: list },
  { ...common, method: 'POST', path: '/api/v1/tasks/:id/cancel', answer: cancel },
];
