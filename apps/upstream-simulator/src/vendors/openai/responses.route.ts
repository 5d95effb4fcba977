import { type Fields, fieldsOf } from '../../json/fields.js';
import { type CompletionReply, type IncomingRequest, type Memory, Refusal, type Route } from '../vendor-emulator.js';
import { newId, nowSeconds } from '../vendor-ids.js';
import { organizationOf } from './encrypted-reasoning.js';
import { openAiHeaders } from './openai-errors.js';
import type { OpenAiModel } from './openai-models.js';
import { readBody } from './read-body.js';
import { checkContext } from './read-chat-request.js';
import { runResponse } from './read-response-request.js';
import { outputItems } from './response-items.js';
import { failedResponse, finishedResponse, type ResponseDraft, type ResponseError } from './response-object.js';
import { ResponseStream } from './response-stream.js';

const draftOf = (request: Fields, model: OpenAiModel, incoming: IncomingRequest, memory: Memory): ResponseDraft => {
  const organization = organizationOf(incoming.credential);
  const work = runResponse(request, model, { memory, organization });
  checkContext(model, work.completion.counts.inputTokens, 'input');
  return {
    id: `resp_${newId(48)}`,
    createdAt: nowSeconds(),
    model: model.snapshot,
    request,
    work,
    items: outputItems(work, request, organization),
  };
};

const errorOf = (code: string | undefined): ResponseError | undefined =>
  code === undefined ? undefined : { code, message: `The response failed: ${code}.` };

const handle = (incoming: IncomingRequest, memory: Memory): CompletionReply => {
  const { request, model } = readBody(incoming, memory);
  const draft = draftOf(request, model, incoming, memory);
  const { directives, completion } = draft.work;
  const isStream = request.stream === true;
  const error = errorOf(directives.failureCode);
  incoming.record.upstreamId = draft.id;
  // A failed response has HTTP 200, and is not billed.
  if (error !== undefined && !isStream) {
    throw new Refusal(200, JSON.stringify(failedResponse(draft, error)), openAiHeaders());
  }
  const isObfuscated = fieldsOf(request.stream_options).include_obfuscation !== false;
  return {
    kind: 'completion',
    directives: error === undefined ? directives : { errorAfter: 1, ...directives },
    completion,
    isStream,
    sendsToolCallsWhole: false,
    headers: openAiHeaders(),
    whole: () => JSON.stringify(finishedResponse(draft)),
    openStream: () => new ResponseStream(draft, { isObfuscated, error }),
  };
};

export const responsesRoute: Route = { method: 'POST', path: '/v1/responses', protocol: 'openai-responses', handle };
