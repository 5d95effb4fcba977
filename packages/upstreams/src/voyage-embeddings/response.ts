import { readEmbeddingList } from '../embedding-list/read-embedding-list.js';
import type { EmbeddingsCall, UpstreamReply } from '../protocol.js';

const NO_ERRORS_IN_ANSWERS = (): void => undefined;

export const readReply = (body: Uint8Array, call: EmbeddingsCall): UpstreamReply =>
  readEmbeddingList(body, call, NO_ERRORS_IN_ANSWERS, call.request.encoding === 'base64');
