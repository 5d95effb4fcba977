import type { ImageProtocol } from '../protocol.js';
import { readFailure } from './errors.js';
import { buildRequest } from './request.js';
import { readReply } from './response.js';

export const geminiInteractions: ImageProtocol<'gemini-interactions'> = {
  id: 'gemini-interactions',
  buildRequest,
  readReply,
  readFailure,
};
