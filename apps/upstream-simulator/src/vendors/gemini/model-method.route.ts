import { composeCompletion } from '../../completion/compose-completion.js';
import { inputTokens } from '../../count/tokens.js';
import type { CompletionReply, FixedReply, IncomingRequest, Memory, Reply, Route } from '../vendor-emulator.js';
import { newId } from '../vendor-ids.js';
import { camelFields } from './either-case.js';
import { embedContents } from './embed-contents.js';
import { API_VERSIONS, geminiHeaders, invalid, refuse, unknownModel } from './gemini-errors.js';
import { findModel, type GeminiModel, modelEntry, modelPage } from './gemini-models.js';
import { type ContentIdentity, ContentStream, wholeContent } from './generate-content.js';
import { findEmbeddingModel } from './media-models.js';
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
  const [asked = '', method = ''] = (incoming.params.call ?? '').split(':', 2);
  // A retired model is answered, and billed, by its successor.
  const name = memory.calendar.servedAs('gemini', asked) ?? '';
  incoming.record.model = name === '' ? asked : name;
  const embedder = findEmbeddingModel(name);
  if (embedder !== undefined && (method === 'batchEmbedContents' || method === 'embedContent')) {
    return embedContents(incoming, memory, embedder, method === 'batchEmbedContents');
  }
  const model = findModel(name);
  if (model === undefined) throw unknownModel(asked, method);
  if (method === 'generateContent') return generate(incoming, memory, model, false);
  if (method === 'streamGenerateContent') return generate(incoming, memory, model, true);
  if (method === 'countTokens') return count(incoming, model);
  const why = `models/${asked} is not found for API version v1beta, or is not supported for ${method}.`;
  throw refuse(404, 'NOT_FOUND', why);
};

const list = (incoming: IncomingRequest, { calendar }: Memory): FixedReply => ({
  kind: 'fixed',
  headers: geminiHeaders(),
  body: JSON.stringify(modelPage(incoming.query, calendar)),
});

const one = ({ params }: IncomingRequest, { calendar }: Memory): FixedReply => {
  const entry = modelEntry(params.model ?? '', calendar);
  if (entry === undefined) throw unknownModel(params.model ?? '', 'getModel');
  return { kind: 'fixed', headers: geminiHeaders(), body: JSON.stringify(entry) };
};

export const modelRoutes: readonly Route[] = API_VERSIONS.flatMap((version): Route[] => [
  { method: 'POST', path: `/${version}/models/:call`, protocol: 'gemini-generate', handle },
  { method: 'GET', path: `/${version}/models`, protocol: 'gemini-models', handle: list },
  { method: 'GET', path: `/${version}/models/:model`, protocol: 'gemini-models', handle: one },
]);
