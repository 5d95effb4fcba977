import { isJsonObject } from '@gateway/contracts';
import { embeddingUsage } from '../embedding-list/embedding-usage.js';
import { encodeVectors } from '../embedding-list/encode-entries.js';
import { extractVectors } from '../embedding-list/extract-vectors.js';
import { malformedResponse } from '../failures/malformed-response.js';
import type { EmbeddingsCall, UpstreamReply } from '../protocol.js';
import { errorInResponse } from './errors.js';
import { batchEmbedReply } from './wire.js';

export function readReply(body: Uint8Array, call: EmbeddingsCall): UpstreamReply {
  const { envelope, vectors } = extractVectors(body, 'values');
  if (isJsonObject(envelope) && isJsonObject(envelope.error)) throw errorInResponse(envelope);
  const parsed = batchEmbedReply.safeParse(envelope);
  if (!parsed.success) throw malformedResponse();
  const { embeddings, usageMetadata } = parsed.data;
  const isWhole = embeddings.length === call.request.texts.length && vectors.length === embeddings.length;
  // A different index is a number that the upstream sent, not an extracted vector.
  if (!isWhole || embeddings.some(({ values }, index) => values !== index)) throw malformedResponse();
  return {
    body: encodeVectors(vectors, call),
    usage: embeddingUsage(usageMetadata?.promptTokenCount, usageMetadata, call),
    upstreamId: undefined,
  };
}
