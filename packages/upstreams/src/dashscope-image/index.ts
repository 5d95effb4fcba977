import type { ImageProtocol } from '../protocol.js';
import { readFailure } from './errors.js';
import { buildRequest } from './request.js';
import { readReply } from './response.js';

export const dashScopeImage: ImageProtocol<'dashscope-image'> = {
  id: 'dashscope-image',
  buildRequest,
  readReply,
  readFailure,
};
