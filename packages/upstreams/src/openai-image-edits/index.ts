import type { ImageEditProtocol } from '../protocol.js';
import { readFailure } from './errors.js';
import { buildRequest } from './request.js';
import { readReply } from './response.js';

export const openAiImageEdits: ImageEditProtocol = {
  id: 'openai-image-edits',
  buildRequest,
  readReply,
  readFailure,
};
