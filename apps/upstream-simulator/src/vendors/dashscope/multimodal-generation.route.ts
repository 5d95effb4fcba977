import { textOf } from '../../json/fields.js';
import type { IncomingRequest, Memory, Reply, Route } from '../vendor-emulator.js';
import { imageGeneration } from './image-generation.js';
import type { ModelFamily } from './model-family.js';
import { invalid, nativeErrors, parseNativeBody, refuse, refuseModel } from './native-errors.js';
import { speechGeneration } from './speech-generation.js';
import { findVideoModel } from './video/video-models.js';

const KINDS: readonly ModelFamily[] = [imageGeneration, speechGeneration];
export const isMultimodalModel = (name: string): boolean => KINDS.some((kind) => kind.has(name));

const handle = (incoming: IncomingRequest, memory: Memory): Reply => {
  const request = parseNativeBody(incoming);
  const model = textOf(request.model);
  if (model === '') throw invalid('Field required: model');
  incoming.record.model = model;
  if (incoming.headers['x-dashscope-async'] === 'enable') {
    throw refuse(403, 'AccessDenied', 'current user api does not support asynchronous calls.');
  }
  const kind = KINDS.find((one) => one.has(model));
  if (kind === undefined) throw refuseModel(findVideoModel(model) !== undefined);
  return kind.handle(request, incoming, memory);
};

export const multimodalGenerationRoute: Route = {
  method: 'POST',
  path: '/api/v1/services/aigc/multimodal-generation/generation',
  protocol: 'dashscope-multimodal',
  handle,
  errors: nativeErrors,
};
