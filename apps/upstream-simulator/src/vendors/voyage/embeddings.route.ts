import { invoiceOf } from '../../count/tokens.js';
import { type Fields, isFields, textOf } from '../../json/fields.js';
import { toBase64, vectorOf } from '../../vector/vector-of.js';
import type { IncomingRequest, Memory, RenderedReply, Route } from '../vendor-emulator.js';
import { readEmbeddings } from './read-embeddings.js';
import { refuse } from './voyage-errors.js';

const DIRECTIVE_MARK = '{{sim';

const parse = (incoming: IncomingRequest): Fields => {
  try {
    const request: unknown = JSON.parse(incoming.body.toString('utf8'));
    if (isFields(request)) return request;
  } catch {
    // Both kinds of garbage get the same answer below.
  }
  throw refuse(400, 'Request body could not be parsed as JSON.');
};

const handle = (incoming: IncomingRequest, memory: Memory): RenderedReply => {
  const request = parse(incoming);
  incoming.record.model = textOf(request.model);
  const { model, texts, dimensions, isBase64, tokens } = readEmbeddings(request);
  const directed = texts.filter((text) => text.includes(DIRECTIVE_MARK));
  const directives = memory.repeats.activeDirectives('voyage', directed);
  const billedTokens = directives.promptTokens ?? tokens;
  return {
    kind: 'rendered',
    directives,
    headers: {},
    usage: invoiceOf({}, { input: billedTokens }),
    whole: () =>
      JSON.stringify({
        object: 'list',
        data: texts.map((text, index) => {
          const vector = vectorOf(model, text, dimensions, true);
          return { object: 'embedding', embedding: isBase64 ? toBase64(vector) : vector, index };
        }),
        model,
        ...(directives.hidesUsage === true ? {} : { usage: { total_tokens: billedTokens } }),
      }),
  };
};

export const embeddingsRoute: Route = { method: 'POST', path: '/v1/embeddings', protocol: 'voyage-embeddings', handle };
