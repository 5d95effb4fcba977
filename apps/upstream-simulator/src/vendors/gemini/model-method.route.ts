import { composeCompletion } from '../../completion/compose-completion.js';
import { inputTokens } from '../../count/tokens.js';
import type { CompletionReply, FixedReply, IncomingRequest, Memory, Reply, Route } from '../vendor-emulator.js';
import { newId } from '../vendor-ids.js';
import { camelFields } from './either-case.js';
import { embedContents, findEmbeddingModel } from './embed-contents.js';
import { geminiHeaders, invalid, refuse, unknownModel } from './gemini-errors.js';
import { findModel, type GeminiModel } from './gemini-models.js';
import { type ContentIdentity, ContentStream, wholeContent } from './generate-content.js';
import { parseBody, readContentRequest, readPrompt } from './read-content-request.js';

const generate = (
  incoming: IncomingRequest,
  memory: Memory,
  model: GeminiModel,
  isStream: boolean,
): CompletionReply => {
  if (isStream && incoming.query.alt !== 'sse') {
    throw invalid("The simulator streams server-sent events only: 'alt' must be 'sse'.");
  }
  const parsed = readContentRequest(parseBody(incoming), model, memory);
  const completion = composeCompletion(parsed);
  if (completion.counts.inputTokens > model.contextTokens) {
    throw invalid(
      `The input token count (${completion.counts.inputTokens}) exceeds the maximum number of tokens allowed (${model.contextTokens}).`,
    );
  }
  const identity: ContentIdentity = {
    responseId: newId(22),
    modelVersion: model.id,
    hidesUsage: parsed.directives.hidesUsage === true,
    prompt: parsed.tally,
  };
  incoming.record.upstreamId = identity.responseId;
  return {
    kind: 'completion',
    directives: parsed.directives,
    completion: completion,
    isStream,
    sendsToolCallsWhole: true,
    headers: isStream ? { ...geminiHeaders(), 'content-type': 'text/event-stream' } : geminiHeaders(),
    whole: () => wholeContent(identity, completion),
    openStream: () => new ContentStream(identity, completion),
  };
};

const count = (incoming: IncomingRequest, model: GeminiModel): FixedReply => {
  const request = parseBody(incoming);
  const inner = request.generateContentRequest === undefined ? request : camelFields(request.generateContentRequest);
  const totalTokens = inputTokens(readPrompt(inner, model));
  const body = { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] };
  return { kind: 'fixed', headers: geminiHeaders(), body: JSON.stringify(body) };
};

const handle = (incoming: IncomingRequest, memory: Memory): Reply => {
  const [name = '', method = ''] = (incoming.params.call ?? '').split(':', 2);
  incoming.record.model = name;
  const embedder = findEmbeddingModel(name);
  if (embedder !== undefined && method === 'batchEmbedContents') return embedContents(incoming, memory, embedder);
  const model = findModel(name);
  if (model === undefined) throw unknownModel(name, method);
  if (method === 'generateContent') return generate(incoming, memory, model, false);
  if (method === 'streamGenerateContent') return generate(incoming, memory, model, true);
  if (method === 'countTokens') return count(incoming, model);
  const why = `models/${name} is not found for API version v1beta, or is not supported for ${method}.`;
  throw refuse(404, 'NOT_FOUND', why);
};

export const modelMethodRoute: Route = {
  method: 'POST',
  path: '/v1beta/models/:call',
  protocol: 'gemini-generate',
  handle,
};
