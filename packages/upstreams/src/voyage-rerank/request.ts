import { type RerankRequest, textsOfDocuments } from '@gateway/contracts';
import type { RerankCall, Target, WireRequest } from '../protocol.js';
import type { VoyageRerankBody } from './wire.js';

/** Documents are returned from the client's own request, so the vendor need not send them back. */
export function buildRequest({ request }: RerankCall, target: Target): WireRequest {
  const top = topOf(request);
  const body: VoyageRerankBody = {
    model: target.upstreamModel,
    query: request.query,
    documents: textsOfDocuments(request),
    ...(top !== undefined && { top_k: Math.min(top, request.documents.length) }),
    ...(request.truncation != null && { truncation: request.truncation }),
  };
  return {
    method: 'POST',
    url: `${target.baseUrl}/v1/rerank`,
    headers: {
      authorization: `Bearer ${target.credential}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify(body),
  };
}

const topOf = ({ top_n: topN, top_k: topK }: RerankRequest): number | undefined => topN ?? topK ?? undefined;
