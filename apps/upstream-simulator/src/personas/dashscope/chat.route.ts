import { composeAnswer } from '../../answer/compose-answer.js';
import { type Fields, fieldsOf, isFields } from '../../json/fields.js';
import type { GeneratedReply, Memory, Received, Route } from '../persona.js';
import { newUuid, nowSeconds } from '../vendor-ids.js';
import { type CompatIdentity, chatCompletion } from './chat-completion.js';
import { chatStream } from './chat-stream.js';
import { checkContext, readChatTask } from './chat-task.js';
import { compatHeaders, invalidParameter, unknownModel } from './dashscope-errors.js';
import { findModel } from './dashscope-models.js';

/** Any request of the compatible mode. */
export const parseRequest = (received: Received): Fields => {
  try {
    const request: unknown = JSON.parse(received.body.toString('utf8'));
    if (isFields(request)) {
      return request;
    }
  } catch {
    // Both kinds of garbage get the same answer below.
  }
  throw invalidParameter('Request body format invalid');
};

const answer = (received: Received, memory: Memory): GeneratedReply => {
  const request = parseRequest(received);
  if (typeof request.model !== 'string' || request.model === '') {
    throw invalidParameter('Field required: model');
  }
  received.note.model = request.model;
  const model = findModel(request.model);
  if (model === undefined) {
    throw unknownModel(request.model);
  }
  const task = readChatTask(request, model, memory);
  const composed = composeAnswer(task);
  checkContext(model, composed.counts.inputTokens);
  const uuid = newUuid();
  const identity: CompatIdentity = {
    id: `chatcmpl-${uuid}`,
    created: nowSeconds(),
    model: model.id,
    thinks: task.thinking !== null,
    hidesUsage: task.directives.hidesUsage === true,
    prompt: task.tally,
  };
  received.note.upstreamId = identity.id;
  return {
    kind: 'generated',
    directives: task.directives,
    answer: composed,
    isStream: request.stream === true,
    keepsToolsWhole: false,
    headers: compatHeaders(uuid),
    whole: () => chatCompletion(identity, composed),
    openStream: () => chatStream(identity, composed, fieldsOf(request.stream_options).include_usage === true),
  };
};

export const chatRoute: Route = {
  method: 'POST',
  path: '/compatible-mode/v1/chat/completions',
  protocol: 'dashscope-chat',
  answer,
};
