import { textOf } from '../../json/fields.js';
import type { Memory, Received, Reply, Route } from '../persona.js';
import { imageGeneration } from './image-generation.js';
import type { MultimodalModels } from './multimodal-models.js';
import { nativeErrors, nativeInvalidParameter, refuseModel, refuseNative } from './native-errors.js';
import { parseNativeBody } from './parse-native-body.js';
import { speechGeneration } from './speech-generation.js';
import { findVideoModel } from './video/video-models.js';

const KINDS: readonly MultimodalModels[] = [imageGeneration, speechGeneration];

export const isMultimodalModel = (name: string): boolean => KINDS.some((kind) => kind.has(name));

const answer = (received: Received, memory: Memory): Reply => {
  const request = parseNativeBody(received);
  const model = textOf(request.model);
  if (model === '') {
    throw nativeInvalidParameter('Field required: model');
  }
  received.note.model = model;
  if (received.headers['x-dashscope-async'] === 'enable') {
    throw refuseNative(403, 'AccessDenied', 'current user api does not support asynchronous calls.');
  }
  const kind = KINDS.find((one) => one.has(model));
  if (kind === undefined) {
    throw refuseModel(findVideoModel(model) !== undefined);
  }
  return kind.answer(request, received, memory);
};

export const multimodalGenerationRoute: Route = {
  method: 'POST',
  path: '/api/v1/services/aigc/multimodal-generation/generation',
  protocol: 'dashscope-multimodal',
  answer,
  errors: nativeErrors,
};
