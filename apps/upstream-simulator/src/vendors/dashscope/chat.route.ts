import { composeCompletion } from '../../completion/compose-completion.js';
import { type Fields, fieldsOf, isFields } from '../../json/fields.js';
import type { CompletionReply, IncomingRequest, Memory, Route } from '../vendor-emulator.js';
import { newUuid, nowSeconds } from '../vendor-ids.js';
import { type CompatIdentity, chatCompletion } from './chat-completion.js';
import { chatStream } from './chat-stream.js';
import { compatHeaders, invalidParameter, unknownModel } from './dashscope-errors.js';
import { findModel } from './dashscope-models.js';
import { checkContext, readChatRequest } from './read-chat-request.js';

/** Any request of the compatible mode. */
export const parseRequest = (incoming: IncomingRequest): Fields => {
  try {
    const request: unknown = JSON.parse(incoming.body.toString('utf8'));
    if (isFields(request)) return request;
  } catch {
    // Both kinds of garbage get the same answer below.
  }
  throw invalidParameter('Request body format invalid');
};

const handle = (incoming: IncomingRequest, memory: Memory): CompletionReply => {
  const request = parseRequest(incoming);
  if (typeof request.model !== 'string' || request.model === '') throw invalidParameter('Field required: model');
  incoming.record.model = request.model;
  const model = findModel(request.model);
  if (model === undefined) throw unknownModel(request.model);
  const task = readChatRequest(request, model, memory);
  const completion = composeCompletion(task);
  checkContext(model, completion.counts.inputTokens);
  const uuid = newUuid();
  const identity: CompatIdentity = {
    id: `chatcmpl-${uuid}`,
    created: nowSeconds(),
    model: model.id,
    thinks: task.thinking !== null,
    hidesUsage: task.directives.hidesUsage === true,
    prompt: task.tally,
  };
  incoming.record.upstreamId = identity.id;
  return {
    kind: 'completion',
    directives: task.directives,
    completion: completion,
    isStream: request.stream === true,
    sendsToolCallsWhole: false,
    headers: compatHeaders(uuid),
    whole: () => chatCompletion(identity, completion),
    openStream: () => chatStream(identity, completion, fieldsOf(request.stream_options).include_usage === true),
  };
};

export const chatRoute: Route = {
  method: 'POST',
  path: '/compatible-mode/v1/chat/completions',
  protocol: 'dashscope-chat',
  handle,
};
