import type { EmbeddingsCall, Target, WireRequest } from '../protocol.js';
import { VENDOR_FIELDS, type VoyageEmbeddingsBody } from './wire.js';

/** Requests base64 from the vendor itself if the client wants it. */
export function buildRequest({ request }: EmbeddingsCall, target: Target): WireRequest {
  const own = VENDOR_FIELDS.filter((field) => request.vendorFields[field] !== undefined);
  const body: VoyageEmbeddingsBody = {
    ...Object.fromEntries(own.map((field) => [field, request.vendorFields[field]])),
    model: target.upstreamModel,
    input: request.texts,
    output_dimension: request.dimensions,
    ...(request.encoding === 'base64' && { encoding_format: 'base64' }),
  };
  return {
    method: 'POST',
    url: `${target.baseUrl}/v1/embeddings`,
    headers: {
      authorization: `Bearer ${target.credential}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify(body),
  };
}
