import type { EmbeddingsProtocol } from '../protocol.js';
import { readFailure } from './errors.js';
import { buildRequest } from './request.js';
import { readReply } from './response.js';

export const geminiEmbeddings: EmbeddingsProtocol = { id: 'gemini-embeddings', buildRequest, readReply, readFailure };
