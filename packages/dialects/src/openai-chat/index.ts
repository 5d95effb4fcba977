import type { Dialect } from '@gateway/contracts';
import { type ChatView, decodeRequest, names } from './decode-request.js';
import { encodeAnswer } from './encode-answer.js';
import { openEncoder } from './encode-stream.js';

/** POST /v1/chat/completions. */
export const openAiChat: Dialect<ChatView> = {
  id: 'openai-chat',
  names,
  showsUpstreamErrors: true,
  losses: {
    media: 'The format has no field for images in an answer.',
    'vendor-parts': 'The format has no parts for tools that a vendor runs.',
    'stop-sequence': 'The format has no field for the sequence that stopped the model.',
  },
  decodeRequest,
  encodeAnswer,
  openEncoder,
};
