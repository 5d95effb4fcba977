import { composeCompletion } from '../../completion/compose-completion.js';
import { fieldsOf } from '../../json/fields.js';
import type { CompletionReply, IncomingRequest, Memory, Route } from '../vendor-emulator.js';
import { newId, nowSeconds } from '../vendor-ids.js';
import { chatCompletion } from './chat-completion.js';
import { chatStream } from './chat-stream.js';
import { refuse } from './openai-errors.js';
import { openAiHeaders } from './openai-headers.js';
import { readBody } from './read-body.js';
import { checkContext, readChatRequest } from './read-chat-request.js';

const handle = (incoming: IncomingRequest, memory: Memory): CompletionReply => {
  const { request, model } = readBody(incoming);
  if (!model.isOnChat) {
    throw refuse(404, {
      message: 'This model is only supported in v1/responses and not in v1/chat/completions.',
      param: 'model',
    });
  }
  const task = readChatRequest(request, model, memory);
  const completion = composeCompletion(task);
  checkContext(model, completion.counts.inputTokens, 'messages');
  const identity = { id: `chatcmpl-${newId(29)}`, created: nowSeconds(), model: model.snapshot };
  incoming.record.upstreamId = identity.id;
  const options = fieldsOf(request.stream_options);
  const hidesUsage = task.directives.hidesUsage === true;
  return {
    kind: 'completion',
    directives: task.directives,
    completion: completion,
    isStream: request.stream === true,
    sendsToolCallsWhole: false,
    headers: openAiHeaders(),
    whole: () => chatCompletion(identity, completion, hidesUsage),
    openStream: () =>
      chatStream(identity, completion, {
        includesUsage: options.include_usage === true,
        isObfuscated: options.include_obfuscation !== false,
        hidesUsage,
      }),
  };
};

export const chatRoute: Route = { method: 'POST', path: '/v1/chat/completions', protocol: 'openai-chat', handle };
