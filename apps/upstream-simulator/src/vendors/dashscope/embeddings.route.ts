import { inputTokens, invoiceOf } from '../../count/tokens.js';
import { vectorOf } from '../../vector/vector-of.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../vendor-emulator.js';
import { newUuid } from '../vendor-ids.js';
import { parseRequest } from './chat.route.js';
import { compatHeaders, unknownModel } from './dashscope-errors.js';
import { EMBEDDING_MODELS, readEmbeddings } from './read-embeddings.js';

const handle = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const request = parseRequest(incoming);
  const model = typeof request.model === 'string' ? request.model : '';
  incoming.record.model = model;
  if (!EMBEDDING_MODELS.has(model)) throw unknownModel(model);
  const { texts, dimensions, tally } = readEmbeddings(request);
  const directives = memory.repeats.activeDirectives('dashscope', tally.directed);
  const tokens = directives.promptTokens ?? inputTokens(tally);
  const id = newUuid();
  incoming.record.upstreamId = id;
  return {
    kind: 'rendered',
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
  handle,
};
