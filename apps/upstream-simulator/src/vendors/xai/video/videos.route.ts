import { textOf } from '../../../json/fields.js';
import { pollTask } from '../../../tasks/poll-task.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../../vendor-emulator.js';
import { newUuid } from '../../vendor-ids.js';
import { parseBody } from '../parse-body.js';
import { notDeserialized, refuse, unknownModel, videoErrors, xaiHeaders } from '../xai-errors.js';
import { type Operation, readTaskSpec } from './read-task-spec.js';
import { taskBody } from './task-body.js';
import { findVideoModel } from './video-models.js';

const createOf =
  (work: Operation) =>
  (incoming: IncomingRequest, memory: Memory): RenderedReply => {
    const request = parseBody(incoming);
    const name = textOf(request.model);
    if (name === '') throw notDeserialized('missing field `model`');
    incoming.record.model = name;
    const model = findVideoModel(name);
    if (model === undefined) throw unknownModel(name);
    const spec = readTaskSpec(work, request, model, incoming, memory);
    return {
      kind: 'rendered',
      directives: spec.directives,
      headers: xaiHeaders(),
      usage: null,
      whole: () => {
        const task = memory.tasks.xai.start({ id: newUuid(), spec, body: incoming.body });
        incoming.record.upstreamId = task.id;
        incoming.record.task = task;
        return JSON.stringify({ request_id: task.id });
      },
    };
  };

const query = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const id = incoming.params.id ?? '';
  incoming.record.upstreamId = id;
  const task = memory.tasks.xai.find(id, incoming.credential ?? '');
  if (task === undefined) throw refuse(404, 'Some requested entity was not found', 'Deferred request not found.');
  incoming.record.model = task.spec.model;
  const { state, faults } = pollTask(task);
  const { status, body } = taskBody(task, state, memory.results);
  return {
    kind: 'rendered',
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
  { ...common, method: 'POST', path: '/v1/videos/generations', handle: createOf('generation') },
  { ...common, method: 'POST', path: '/v1/videos/edits', handle: createOf('edit') },
  { ...common, method: 'POST', path: '/v1/videos/extensions', handle: createOf('extension') },
  { ...common, method: 'GET', path: '/v1/videos/:id', protocol: 'xai-tasks', handle: query },
];
