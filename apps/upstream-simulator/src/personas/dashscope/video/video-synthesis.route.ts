import { textOf } from '../../../json/fields.js';
import type { MadeReply, Memory, Received, Route } from '../../persona.js';
import { newUuid } from '../../vendor-ids.js';
import { isMultimodalModel } from '../multimodal-generation.route.js';
import { nativeErrors, nativeHeaders, nativeInvalidParameter, refuseModel, refuseNative } from '../native-errors.js';
import { parseNativeBody } from '../parse-native-body.js';
import { readVideoOrder } from './read-video-order.js';
import { findVideoModel } from './video-models.js';

const answer = (received: Received, memory: Memory): MadeReply => {
  const request = parseNativeBody(received);
  const name = textOf(request.model);
  if (name === '') {
    throw nativeInvalidParameter('Field required: model');
  }
  received.note.model = name;
  if (received.headers['x-dashscope-async'] !== 'enable') {
    throw refuseNative(403, 'AccessDenied', 'current user api does not support synchronous calls.');
  }
  const model = findVideoModel(name);
  if (model === undefined) {
    throw refuseModel(isMultimodalModel(name));
  }
  const requestId = newUuid();
  const order = readVideoOrder(request, model, received, memory, requestId);
  return {
    kind: 'made',
    directives: order.directives,
    headers: nativeHeaders(requestId),
    usage: null,
    whole: () => {
      const task = memory.tasks.dashscope.start({ id: newUuid(), order, body: received.body });
      received.note.upstreamId = task.id;
      received.note.task = task;
      return JSON.stringify({ request_id: requestId, output: { task_id: task.id, task_status: 'PENDING' } });
    },
  };
};

export const videoSynthesisRoute: Route = {
  method: 'POST',
  path: '/api/v1/services/aigc/video-generation/video-synthesis',
  protocol: 'dashscope-video',
  answer,
  errors: nativeErrors,
};
