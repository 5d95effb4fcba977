import type { Dialect } from '@gateway/contracts';
import { decodeRequest, type GenerateView, names } from './decode-request.js';
import { encodeAnswer } from './encode-answer.js';
import { openEncoder } from './encode-stream.js';

/** POST /v1beta/models/{model}:generateContent and :streamGenerateContent. */
export const geminiGenerate: Dialect<GenerateView> = {
  id: 'gemini-generate',
  names,
  showsUpstreamErrors: false,
  losses: {
    'vendor-parts': 'The format has no part for tools that another vendor runs.',
    'stop-sequence': 'The format does not name the sequence that stopped the model.',
  },
  decodeRequest,
  encodeAnswer,
  openEncoder,
};
