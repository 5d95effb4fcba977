import { readEmbeddingList } from '../embedding-list/read-embedding-list.js';
import { isJsonObject } from '../failures/error-body.js';
import type { EmbeddingsCall, UpstreamReply } from '../protocol.js';
import { errorInAnswer } from './errors.js';

function refuseError(envelope: unknown): void {
  if (isJsonObject(envelope) && isJsonObject(envelope.error)) throw errorInAnswer(envelope);
}

export const readReply = (body: Uint8Array, call: EmbeddingsCall): UpstreamReply =>
  readEmbeddingList(body, call, refuseError, false);
