import { isJsonObject } from '@gateway/contracts';
import { readEmbeddingList } from '../embedding-list/read-embedding-list.js';
import type { EmbeddingsCall, UpstreamReply } from '../protocol.js';
import { errorInResponse } from './errors.js';

function throwReportedError(envelope: unknown): void {
  if (isJsonObject(envelope) && isJsonObject(envelope.error)) throw errorInResponse(envelope);
}

export const readReply = (body: Uint8Array, call: EmbeddingsCall): UpstreamReply =>
  readEmbeddingList(body, call, throwReportedError, false);
