import type { Directives } from '../../../directives/directives.js';
import { textOf } from '../../../json/fields.js';
import { askTask } from '../../../tasks/ask-task.js';
import { isOpen } from '../../../tasks/timetable.js';
import type { VideoTask } from '../../../tasks/video-task.js';
import type { MadeReply, Memory, Received, Route } from '../../persona.js';
import { newId } from '../../vendor-ids.js';
import { arkHeaders, missingParameter, refuse, unknownModel, videoErrors } from '../ark-errors.js';
import { parseBody } from '../parse-body.js';
import type { ArkOrder } from './ark-order.js';
import { readVideoOrder } from './read-video-order.js';
import { findSeedanceModel } from './seedance-models.js';
import { sendCallback } from './send-callbacks.js';
import { taskBody } from './task-body.js';
import { readPage } from './task-page.js';

const PATH = '/api/v3/contents/generations/tasks';
const HOURS_EAST_MS = 8 * 60 * 60 * 1_000;
const NO_FAULTS: Directives = {};

const replyOf = (whole: () => object, directives = NO_FAULTS): MadeReply => ({
  kind: 'made',
  directives,
  headers: arkHeaders(),
  usage: null,
  whole: () => JSON.stringify(whole()),
});

/** Such as `cgt-20261103101502-t8rzv`: the time is Beijing's. */
const newTaskId = (): string => {
  const stamp = new Date(Date.now() + HOURS_EAST_MS).toISOString().replace(/\D/g, '').slice(0, 14);
  return `cgt-${stamp}-${newId(5)}`;
};

const create = (received: Received, memory: Memory): MadeReply => {
  const request = parseBody(received);
  const model = textOf(request.model);
  if (model === '') {
    throw missingParameter('model');
  }
  received.note.model = model;
  const traits = findSeedanceModel(model);
  if (traits === undefined) {
    throw unknownModel(model);
  }
  const order = readVideoOrder(request, model, traits, received, memory);
  const { callbackUrl } = order;
  return replyOf(() => {
    const task = memory.tasks.ark.start({
      id: newTaskId(),
      order,
      body: received.body,
      ...(callbackUrl !== null && { onChange: (changed) => sendCallback(changed, callbackUrl, memory.results) }),
    });
    received.note.upstreamId = task.id;
    received.note.task = task;
    return { id: task.id };
  }, order.directives);
};

/** The task that the path names; to any other account there is none. */
function find(received: Received, memory: Memory): VideoTask<ArkOrder> {
  const id = received.params.id ?? '';
  received.note.upstreamId = id;
  const task = memory.tasks.ark.find(id, received.credential ?? '');
  if (task === undefined) {
    throw refuse(404, {
      code: 'NotFound.id',
      message: `The specified task ${id} is not found.`,
      type: 'NotFound',
      param: 'id',
    });
  }
  received.note.model = task.order.model;
  return task;
}

const query = (received: Received, memory: Memory): MadeReply => {
  const task = find(received, memory);
  const { state, faults } = askTask(task);
  return replyOf(() => taskBody(task, state, memory.results), faults);
};

const list = (received: Received, memory: Memory): MadeReply => {
  const { total, tasks } = readPage(memory.tasks.ark.list(received.credential ?? ''), received.query);
  return replyOf(() => ({ total, items: tasks.map((task) => taskBody(task, task.state, memory.results)) }));
};

/** A task that waits is cancelled; the record of one that has ended goes. */
const remove = (received: Received, memory: Memory): MadeReply => {
  const task = find(received, memory);
  const { state } = task;
  const isRefused = state === 'queued' && task.order.directives.refusesCancel === true;
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
  { method: 'POST', path: PATH, protocol: 'ark-video', answer: create, errors: videoErrors },
  { method: 'GET', path: `${PATH}/:id`, protocol: 'ark-tasks', answer: query, errors: videoErrors },
  { method: 'GET', path: PATH, protocol: 'ark-tasks', answer: list, errors: videoErrors },
  { method: 'DELETE', path: `${PATH}/:id`, protocol: 'ark-tasks', answer: remove, errors: videoErrors },
];
