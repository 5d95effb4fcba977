import { composeAnswer } from '../../answer/compose-answer.js';
import { fieldsOf } from '../../json/fields.js';
import type { GeneratedReply, Memory, Received, Route } from '../persona.js';
import { newId, nowSeconds } from '../vendor-ids.js';
import { chatCompletion } from './chat-completion.js';
import { chatStream } from './chat-stream.js';
import { checkContext, readChatTask } from './chat-task.js';
import { refuse } from './openai-errors.js';
import { openAiHeaders } from './openai-headers.js';
import { readBody } from './read-body.js';

const answer = (received: Received, memory: Memory): GeneratedReply => {
  const { request, model } = readBody(received);
  if (!model.isOnChat) {
    throw refuse(404, {
      message: 'This model is only supported in v1/responses and not in v1/chat/completions.',
      param: 'model',
    });
  }
  const task = readChatTask(request, model, memory);
  const composed = composeAnswer(task);
  checkContext(model, composed.counts.inputTokens, 'messages');
  const identity = { id: `chatcmpl-${newId(29)}`, created: nowSeconds(), model: model.snapshot };
  received.note.upstreamId = identity.id;
  const options = fieldsOf(request.stream_options);
  const hidesUsage = task.directives.hidesUsage === true;
  return {
    kind: 'generated',
    directives: task.directives,
    answer: composed,
    isStream: request.stream === true,
    keepsToolsWhole: false,
    headers: openAiHeaders(),
    whole: () => chatCompletion(identity, composed, hidesUsage),
    openStream: () =>
      chatStream(identity, composed, {
        includesUsage: options.include_usage === true,
        isObfuscated: options.include_obfuscation !== false,
        hidesUsage,
      }),
  };
};

export const chatRoute: Route = { method: 'POST', path: '/v1/chat/completions', protocol: 'openai-chat', answer };
