import type { EmbeddingsCall, Target, WireRequest } from '../protocol.js';
import type { DashScopeEmbeddingsBody } from './wire.js';

/** Always requests floats: `embedding-list/` encodes base64 itself. */
export function buildRequest({ request }: EmbeddingsCall, target: Target): WireRequest {
  const body: DashScopeEmbeddingsBody = {
    model: target.upstreamModel,
    input: request.texts,
    dimensions: request.dimensions,
    encoding_format: 'float',
  };
  return {
    method: 'POST',
    url: `${target.baseUrl}/compatible-mode/v1/embeddings`,
    headers: {
      authorization: `Bearer ${target.credential}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify(body),
  };
}
