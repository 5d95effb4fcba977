import { cutVectors } from '../embedding-list/cut-vectors.js';
import { embeddingUsage } from '../embedding-list/embedding-usage.js';
import { writeVectors } from '../embedding-list/write-entries.js';
import { isJsonObject } from '../failures/error-body.js';
import { malformedAnswer } from '../failures/malformed-answer.js';
import type { EmbeddingsCall, UpstreamReply } from '../protocol.js';
import { errorInAnswer } from './errors.js';
import { batchEmbedReply } from './wire.js';

export function readReply(body: Uint8Array, call: EmbeddingsCall): UpstreamReply {
  const { envelope, vectors } = cutVectors(body, 'values');
  if (isJsonObject(envelope) && isJsonObject(envelope.error)) throw errorInAnswer(envelope);
  const parsed = batchEmbedReply.safeParse(envelope);
  if (!parsed.success) throw malformedAnswer();
  const { embeddings, usageMetadata } = parsed.data;
  const isWhole = embeddings.length === call.request.texts.length && vectors.length === embeddings.length;
  // A place that is not its own would be a number that the upstream wrote, not a vector that was cut out.
  if (!isWhole || embeddings.some(({ values }, place) => values !== place)) throw malformedAnswer();
  return {
    body: writeVectors(vectors, call),
    usage: embeddingUsage(usageMetadata?.promptTokenCount, call),
    upstreamId: undefined,
  };
}
