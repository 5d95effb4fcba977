import { composeAnswer } from '../../answer/compose-answer.js';
import { inputTokens } from '../../count/tokens.js';
import type { FixedReply, GeneratedReply, Memory, Received, Reply, Route } from '../persona.js';
import { newId } from '../vendor-ids.js';
import { contentStream } from './content-stream.js';
import { parseBody, readContentTask, readPrompt } from './content-task.js';
import { camelFields } from './either-case.js';
import { embedContents } from './embed-contents.js';
import { findEmbeddingModel } from './embedding-models.js';
import { geminiHeaders, invalidArgument, refuse, unknownModel } from './gemini-errors.js';
import { findModel, type GeminiModel } from './gemini-models.js';
import { type ContentIdentity, wholeContent } from './generate-content.js';

const generate = (received: Received, memory: Memory, model: GeminiModel, isStream: boolean): GeneratedReply => {
  if (isStream && received.query.alt !== 'sse') {
    throw invalidArgument('The simulator streams server-sent events only: use alt=sse.');
  }
  const task = readContentTask(parseBody(received), model, memory);
  const composed = composeAnswer(task);
  if (composed.counts.inputTokens > model.contextTokens) {
    throw invalidArgument(
      `The input token count (${composed.counts.inputTokens}) exceeds the maximum number of tokens allowed (${model.contextTokens}).`,
    );
  }
  const identity: ContentIdentity = {
    responseId: newId(22),
    modelVersion: model.id,
    hidesUsage: task.directives.hidesUsage === true,
    prompt: task.tally,
  };
  received.note.upstreamId = identity.responseId;
  return {
    kind: 'generated',
    directives: task.directives,
    answer: composed,
    isStream,
    keepsToolsWhole: true,
    headers: isStream ? { ...geminiHeaders(), 'content-type': 'text/event-stream' } : geminiHeaders(),
    whole: () => wholeContent(identity, composed),
    openStream: () => contentStream(identity, composed),
  };
};

const count = (received: Received, model: GeminiModel): FixedReply => {
  const request = parseBody(received);
  const inner = request.generateContentRequest === undefined ? request : camelFields(request.generateContentRequest);
  const totalTokens = inputTokens(readPrompt(inner, model));
  const body = { totalTokens, promptTokensDetails: [{ modality: 'TEXT', tokenCount: totalTokens }] };
  return { kind: 'fixed', headers: geminiHeaders(), body: JSON.stringify(body) };
};

/** `POST /v1beta/models/{model}:{method}`. */
const answer = (received: Received, memory: Memory): Reply => {
  const [name = '', method = ''] = (received.params.call ?? '').split(':', 2);
  received.note.model = name;
  const embedder = findEmbeddingModel(name);
  if (embedder !== undefined && method === 'batchEmbedContents') {
    return embedContents(received, memory, embedder);
  }
  const model = findModel(name);
  if (model === undefined) {
    throw unknownModel(name, method);
  }
  switch (method) {
    case 'generateContent':
      return generate(received, memory, model, false);
    case 'streamGenerateContent':
      return generate(received, memory, model, true);
    case 'countTokens':
      return count(received, model);
    default:
      throw refuse(
        404,
        'NOT_FOUND',
        `models/${name} is not found for API version v1beta, or is not supported for ${method}.`,
      );
  }
};

export const modelMethodRoute: Route = {
  method: 'POST',
  path: '/v1beta/models/:call',
  protocol: 'gemini-generate',
  answer,
};
