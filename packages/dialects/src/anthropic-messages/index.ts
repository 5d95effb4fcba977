import type { Dialect } from '@gateway/contracts';
import { decodeRequest, type MessagesView, names } from './decode-request.js';
import { encodeAnswer } from './encode-answer.js';
import { openEncoder } from './encode-stream.js';

/** POST /v1/messages. */
export const anthropicMessages: Dialect<MessagesView> = {
  id: 'anthropic-messages',
  names,
  showsUpstreamErrors: false,
  losses: {
    media: 'The format has no block for images in an answer.',
    'vendor-parts': 'The format has no block for tools that another vendor runs.',
  },
  decodeRequest,
  encodeAnswer,
  openEncoder,
};
