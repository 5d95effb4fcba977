import type { EmbeddingsCall, Target, WireRequest } from '../protocol.js';
import type { BatchEmbedBody } from './wire.js';

export function buildRequest({ request }: EmbeddingsCall, target: Target): WireRequest {
  const model = `models/${target.upstreamModel}`;
  const body: BatchEmbedBody = {
    // One content per text: several parts of one content give a single vector.
    requests: request.texts.map((text) => ({
      model,
      content: { parts: [{ text }] },
      outputDimensionality: request.dimensions,
      ...request.task,
    })),
  };
  return {
    method: 'POST',
    url: `${target.baseUrl}/v1beta/${model}:batchEmbedContents`,
    headers: { 'x-goog-api-key': target.credential, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  };
}
