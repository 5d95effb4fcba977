import { composeAnswer } from '../../answer/compose-answer.js';
import { fieldsOf } from '../../json/fields.js';
import type { GeneratedReply, Memory, Received, Route } from '../persona.js';
import { newId, nowSeconds } from '../vendor-ids.js';
import { checkContext } from './chat-task.js';
import { openAiHeaders } from './openai-headers.js';
import { readBody } from './read-body.js';
import { finalStatus, outputItems, type ResponseIdentity, responseObject } from './response-object.js';
import { responseStream } from './response-stream.js';
import { readResponseTask } from './response-task.js';

const answer = (received: Received, memory: Memory): GeneratedReply => {
  const { request, model } = readBody(received);
  const { task, effort } = readResponseTask(request, model, memory);
  const composed = composeAnswer(task);
  checkContext(model, composed.counts.inputTokens, 'input');
  const identity: ResponseIdentity = {
    id: `resp_${newId(48)}`,
    createdAt: nowSeconds(),
    model: model.snapshot,
    effort,
    request,
  };
  received.note.upstreamId = identity.id;
  const hidesUsage = task.directives.hidesUsage === true;
  const isObfuscated = fieldsOf(request.stream_options).include_obfuscation !== false;
  return {
    kind: 'generated',
    directives: task.directives,
    answer: composed,
    isStream: request.stream === true,
    keepsToolsWhole: false,
    headers: openAiHeaders(),
    whole: () =>
      JSON.stringify(
        responseObject(identity, finalStatus(composed), outputItems(composed), hidesUsage ? null : composed.counts),
      ),
    openStream: () => responseStream(identity, composed, { isObfuscated, hidesUsage }),
  };
};

export const responsesRoute: Route = { method: 'POST', path: '/v1/responses', protocol: 'openai-responses', answer };
