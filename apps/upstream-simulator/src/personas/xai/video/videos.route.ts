import { textOf } from '../../../json/fields.js';
import { askTask } from '../../../tasks/ask-task.js';
import type { MadeReply, Memory, Received, Route } from '../../persona.js';
import { newUuid } from '../../vendor-ids.js';
import { parseBody } from '../parse-body.js';
import { notDeserialized, refuse, unknownModel, videoErrors, xaiHeaders } from '../xai-errors.js';
import { readVideoOrder, type Work } from './read-video-order.js';
import { taskBody } from './task-body.js';
import { findVideoModel } from './video-models.js';

const createOf =
  (work: Work) =>
  (received: Received, memory: Memory): MadeReply => {
    const request = parseBody(received);
    const name = textOf(request.model);
    if (name === '') {
      throw notDeserialized('missing field `model`');
    }
    received.note.model = name;
    const model = findVideoModel(name);
    if (model === undefined) {
      throw unknownModel(name);
    }
    const order = readVideoOrder(work, request, model, received, memory);
    return {
      kind: 'made',
      directives: order.directives,
      headers: xaiHeaders(),
      usage: null,
      whole: () => {
        const task = memory.tasks.xai.start({ id: newUuid(), order, body: received.body });
        received.note.upstreamId = task.id;
        received.note.task = task;
        return JSON.stringify({ request_id: task.id });
      },
    };
  };

const query = (received: Received, memory: Memory): MadeReply => {
  const id = received.params.id ?? '';
  received.note.upstreamId = id;
  const task = memory.tasks.xai.find(id, received.credential ?? '');
  if (task === undefined) {
    throw refuse(404, 'Some requested entity was not found', 'Deferred request not found.');
  }
  received.note.model = task.order.model;
  const { state, faults } = askTask(task);
  const { status, body } = taskBody(task, state, memory.results);
  return {
    kind: 'made',
    directives: faults,
    headers: xaiHeaders(),
    status,
    usage: null,
    whole: () => (body === null ? '' : JSON.stringify(body)),
  };
};

const common = { protocol: 'xai-video', errors: videoErrors } as const;

/** A task that was cancelled by hand, which this vendor cannot, is told to have expired. */
export const videoRoutes: readonly Route[] = [
  { ...common, method: 'POST', path: '/v1/videos/generations', answer: createOf('generation') },
  { ...common, method: 'POST', path: '/v1/videos/edits', answer: createOf('edit') },
  { ...common, method: 'POST', path: '/v1/videos/extensions', answer: createOf('extension') },
  { ...common, method: 'GET', path: '/v1/videos/:id', protocol: 'xai-tasks', answer: query },
];
