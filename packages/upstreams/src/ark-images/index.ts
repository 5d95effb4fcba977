import type { ImageProtocol } from '../protocol.js';
import { readFailure } from './errors.js';
import { buildRequest } from './request.js';
import { readReply } from './response.js';
import { openReader } from './stream.js';

export const arkImages: ImageProtocol<'ark-images'> = {
  id: 'ark-images',
  buildRequest,
  readReply,
  readFailure,
  openReader,
};
