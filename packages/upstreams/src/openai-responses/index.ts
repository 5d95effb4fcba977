import type { NeutralProtocol } from '../protocol.js';
import { readFailure } from './errors.js';
import { encodeRequest, settings } from './request.js';
import { decodeAnswer } from './response.js';
import { openDecoder } from './stream.js';

export const openAiResponses: NeutralProtocol = {
  id: 'openai-responses',
  settings,
  toolName: /^[\w-]{1,64}$/,
  hasCustomTools: true,
  callId: /^.{1,64}$/s,
  closesStrictSchemas: true,
  losses: {
    reasoning: 'The vendor reads only the encrypted reasoning of its own models, which is sent.',
    'tool error': 'The output of a call has no mark for errors: its text says so.',
    'cache mark': 'The vendor caches prompts without marks.',
  },
  encodeRequest,
  streamsUpstream: ({ request }) => request.streams,
  decodeAnswer,
  openDecoder,
  readFailure,
};
