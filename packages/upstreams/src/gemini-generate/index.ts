import type { NeutralProtocol } from '../protocol.js';
import { readFailure } from './errors.js';
import { encodeRequest, settings } from './request.js';
import { decodeAnswer } from './response.js';
import { openDecoder } from './stream.js';

export const geminiGenerate: NeutralProtocol = {
  id: 'gemini-generate',
  settings,
  toolName: /^[A-Za-z_][\w.:-]{0,63}$/,
  hasCustomTools: false,
  needsUserMessage: true,
  losses: {
    reasoning: 'Signatures of calls and of thoughts return. That of a text does not: the API works without it.',
    'single tool call': 'The API has no setting for it.',
    'cache mark': 'The vendor caches prompts without marks.',
  },
  encodeRequest,
  streamsUpstream: ({ request }) => request.streams,
  decodeAnswer,
  openDecoder,
  readFailure,
};
