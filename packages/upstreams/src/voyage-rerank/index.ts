import type { RerankProtocol } from '../protocol.js';
import { readFailure } from './errors.js';
import { buildRequest } from './request.js';
import { readReply } from './response.js';

export const voyageRerank: RerankProtocol = { id: 'voyage-rerank', buildRequest, readReply, readFailure };
