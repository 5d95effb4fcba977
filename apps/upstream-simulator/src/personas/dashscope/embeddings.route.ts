import { inputTokens, invoiceOf } from '../../count/tokens.js';
import { vectorOf } from '../../vector/vector-of.js';
import type { MadeReply, Memory, Received, Route } from '../persona.js';
import { newUuid } from '../vendor-ids.js';
import { parseRequest } from './chat.route.js';
import { compatHeaders, unknownModel } from './dashscope-errors.js';
import { EMBEDDING_MODELS, readEmbeddings } from './read-embeddings.js';

const answer = (received: Received, memory: Memory): MadeReply => {
  const request = parseRequest(received);
  const model = typeof request.model === 'string' ? request.model : '';
  received.note.model = model;
  if (!EMBEDDING_MODELS.has(model)) {
    throw unknownModel(model);
  }
  const { texts, dimensions, tally } = readEmbeddings(request);
  const directives = memory.repeats.inForce('dashscope', tally.directed);
  const tokens = directives.promptTokens ?? inputTokens(tally);
  const id = newUuid();
  received.note.upstreamId = id;
  return {
    kind: 'made',
    directives,
    headers: compatHeaders(id),
    usage: invoiceOf({}, { input: tokens }),
    whole: () =>
      JSON.stringify({
        object: 'list',
        data: texts.map((text, index) => ({
          object: 'embedding',
          index,
          embedding: vectorOf(model, text, dimensions, true),
        })),
        model,
        ...(directives.hidesUsage === true ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
        id,
      }),
  };
};

export const embeddingsRoute: Route = {
  method: 'POST',
  path: '/compatible-mode/v1/embeddings',
  protocol: 'dashscope-embeddings',
  answer,
};
