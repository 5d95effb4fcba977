import { readEmbeddingList } from '../embedding-list/read-embedding-list.js';
import type { EmbeddingsCall, UpstreamReply } from '../protocol.js';

/** The vendor reports no errors with status 200. */
const reportsNoErrors = (): void => undefined;

export const readReply = (body: Uint8Array, call: EmbeddingsCall): UpstreamReply =>
  readEmbeddingList(body, call, reportsNoErrors, call.request.encoding === 'base64');
