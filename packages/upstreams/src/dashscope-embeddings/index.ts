import type { EmbeddingsProtocol } from '../protocol.js';
import { readFailure } from './errors.js';
import { buildRequest } from './request.js';
import { readReply } from './response.js';

export const dashScopeEmbeddings: EmbeddingsProtocol = {
  id: 'dashscope-embeddings',
  buildRequest,
  readReply,
  readFailure,
};
