import {
  estimateTokens,
  isJsonObject,
  type RerankList,
  type RerankRequest,
  textSize,
  textsOfDocuments,
  type Usage,
} from '@gateway/contracts';
import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';
import { readCount } from '../metering/token-counts.js';
import { type KnownUsage, unpricedIn, withUnpriced } from '../metering/unpriced-usage.js';
import type { RerankCall, UpstreamReply } from '../protocol.js';
import { rerankReply } from './wire.js';

const KNOWN: KnownUsage = { counts: new Set(['total_tokens']) };

/** Writes the shared list, with the documents of the client's request if it wants them. */
export function readReply(body: Uint8Array, call: RerankCall): UpstreamReply {
  const parsed = rerankReply.safeParse(parseUpstreamJson(body));
  if (!parsed.success) throw malformedResponse();
  const { data, usage: reported } = parsed.data;
  const { request } = call;
  const isUnknown = data.some(({ index }) => index >= request.documents.length);
  if (isUnknown || data.length === 0 || new Set(data.map(({ index }) => index)).size < data.length) {
    throw malformedResponse();
  }
  const usage = withUnpriced(usageOf(reported, request), unpricedIn(reported, KNOWN));
  const texts = request.return_documents === true ? textsOfDocuments(request) : undefined;
  const list: RerankList = {
    id: call.requestId,
    object: 'list',
    model: call.publicModel,
    results: data.map(({ index, relevance_score }) => ({
      index,
      relevance_score,
      ...(texts !== undefined && { document: { text: texts[index] ?? '' } }),
    })),
    data: data.map(({ index, relevance_score }) => ({
      index,
      relevance_score,
      ...(texts !== undefined && { document: texts[index] ?? '' }),
    })),
    usage: { total_tokens: usage.inputTokensTotal, prompt_tokens: usage.inputTokensTotal, completion_tokens: 0 },
    meta: { tokens: { input_tokens: usage.inputTokensTotal } },
  };
  return { body: Buffer.from(JSON.stringify(list)), usage, upstreamId: undefined };
}

/** The vendor's count, or an estimate: the query is read with each document. */
function usageOf(reported: unknown, request: RerankRequest): Usage {
  const counted = isJsonObject(reported) ? readCount(reported.total_tokens) : undefined;
  if (counted !== undefined && counted > 0) return tokensOf(counted, false);
  const documents = textsOfDocuments(request).reduce((sum, text) => sum + textSize(text), 0);
  return tokensOf(estimateTokens(textSize(request.query) * request.documents.length + documents), true);
}

const tokensOf = (tokens: number, isEstimated: boolean): Usage => ({
  units: { input_token: tokens },
  inputTokensTotal: tokens,
  isEstimated,
});
