import { textOf } from '../../../json/fields.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../../vendor-emulator.js';
import { newUuid } from '../../vendor-ids.js';
import { isMultimodalModel } from '../multimodal-generation.route.js';
import { nativeErrors, nativeHeaders, nativeInvalidParameter, refuseModel, refuseNative } from '../native-errors.js';
import { parseNativeBody } from '../parse-native-body.js';
import { readTaskSpec } from './read-task-spec.js';
import { findVideoModel } from './video-models.js';

const handle = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const request = parseNativeBody(incoming);
  const name = textOf(request.model);
  if (name === '') throw nativeInvalidParameter('Field required: model');
  incoming.record.model = name;
  if (incoming.headers['x-dashscope-async'] !== 'enable') {
    throw refuseNative(403, 'AccessDenied', 'current user api does not support synchronous calls.');
  }
  const model = findVideoModel(name);
  if (model === undefined) throw refuseModel(isMultimodalModel(name));
  const requestId = newUuid();
  const spec = readTaskSpec(request, model, incoming, memory, requestId);
  return {
    kind: 'rendered',
    directives: spec.directives,
    headers: nativeHeaders(requestId),
    usage: null,
    whole: () => {
      const task = memory.tasks.dashscope.start({ id: newUuid(), spec, body: incoming.body });
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
