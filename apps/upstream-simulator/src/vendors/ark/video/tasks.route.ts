import type { Directives } from '../../../directives/directives.js';
import { textOf } from '../../../json/fields.js';
import { pollTask } from '../../../tasks/poll-task.js';
import { isOpen } from '../../../tasks/timetable.js';
import type { VideoTask } from '../../../tasks/video-task.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../../vendor-emulator.js';
import { newId } from '../../vendor-ids.js';
import { arkHeaders, missingParameter, refuse, unknownModel, videoErrors } from '../ark-errors.js';
import { parseBody } from '../parse-body.js';
import type { ArkTaskSpec } from './ark-task-spec.js';
import { readTaskSpec } from './read-task-spec.js';
import { findSeedanceModel } from './seedance-models.js';
import { sendCallback } from './send-callbacks.js';
import { taskBody } from './task-body.js';
import { readPage } from './task-page.js';

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

/** Such as `cgt-20261103101502-t8rzv`: the time is Beijing's. */
const newTaskId = (): string => {
  const stamp = new Date(Date.now() + HOURS_EAST_MS).toISOString().replace(/\D/g, '').slice(0, 14);
  return `cgt-${stamp}-${newId(5)}`;
};

const create = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const request = parseBody(incoming);
  const model = textOf(request.model);
  if (model === '') throw missingParameter('model');
  incoming.record.model = model;
  const traits = findSeedanceModel(model);
  if (traits === undefined) throw unknownModel(model);
  const spec = readTaskSpec(request, model, traits, incoming, memory);
  const { callbackUrl } = spec;
  return replyOf(() => {
    const task = memory.tasks.ark.start({
      id: newTaskId(),
      spec,
      body: incoming.body,
      ...(callbackUrl !== null && { onChange: (changed) => sendCallback(changed, callbackUrl, memory.results) }),
    });
    incoming.record.upstreamId = task.id;
    incoming.record.task = task;
    return { id: task.id };
  }, spec.directives);
};

/** The task that the path names; to any other account there is none. */
function find(incoming: IncomingRequest, memory: Memory): VideoTask<ArkTaskSpec> {
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
  incoming.record.model = task.spec.model;
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

/** A task that waits is cancelled; the record of one that has ended goes. */
const remove = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const task = find(incoming, memory);
  const { state } = task;
  const isRefused = state === 'queued' && task.spec.directives.refusesCancel === true;
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
