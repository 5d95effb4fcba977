import type { ImageEditProtocol } from '../protocol.js';
import { readFailure } from './errors.js';
import { buildRequest } from './request.js';
import { readReply } from './response.js';
import { openReader } from './stream.js';

export const openAiImageEdits: ImageEditProtocol = {
  id: 'openai-image-edits',
  buildRequest,
  readReply,
  readFailure,
  openReader,
};
