import { composeCompletion } from '../../completion/compose-completion.js';
import { fieldsOf } from '../../json/fields.js';
import type { CompletionReply, IncomingRequest, Memory, Route } from '../vendor-emulator.js';
import { newId, nowSeconds } from '../vendor-ids.js';
import { openAiHeaders } from './openai-headers.js';
import { readBody } from './read-body.js';
import { checkContext } from './read-chat-request.js';
import { readResponseRequest } from './read-response-request.js';
import { finalStatus, outputItems, type ResponseIdentity, responseObject } from './response-object.js';
import { responseStream } from './response-stream.js';

const handle = (incoming: IncomingRequest, memory: Memory): CompletionReply => {
  const { request, model } = readBody(incoming);
  const { task, effort } = readResponseRequest(request, model, memory);
  const completion = composeCompletion(task);
  checkContext(model, completion.counts.inputTokens, 'input');
  const identity: ResponseIdentity = {
    id: `resp_${newId(48)}`,
    createdAt: nowSeconds(),
    model: model.snapshot,
    effort,
    request,
  };
  incoming.record.upstreamId = identity.id;
  const hidesUsage = task.directives.hidesUsage === true;
  const isObfuscated = fieldsOf(request.stream_options).include_obfuscation !== false;
  return {
    kind: 'completion',
    directives: task.directives,
    completion: completion,
    isStream: request.stream === true,
    sendsToolCallsWhole: false,
    headers: openAiHeaders(),
    whole: () =>
      JSON.stringify(
        responseObject(
          identity,
          finalStatus(completion),
          outputItems(completion),
          hidesUsage ? null : completion.counts,
        ),
      ),
    openStream: () => responseStream(identity, completion, { isObfuscated, hidesUsage }),
  };
};

export const responsesRoute: Route = { method: 'POST', path: '/v1/responses', protocol: 'openai-responses', handle };
