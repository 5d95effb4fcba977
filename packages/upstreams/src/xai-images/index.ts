import type { ImageProtocol } from '../protocol.js';
import { readFailure } from './errors.js';
import { buildRequest } from './request.js';
import { readReply } from './response.js';

export const xaiImages: ImageProtocol<'xai-images'> = { id: 'xai-images', buildRequest, readReply, readFailure };
