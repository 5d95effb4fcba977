import type { NeutralProtocol } from '../protocol.js';
import { readFailure } from './errors.js';
import { encodeRequest, settings } from './request.js';
import { decodeAnswer } from './response.js';
import { openDecoder } from './stream.js';

export const anthropicMessages: NeutralProtocol = {
  id: 'anthropic-messages',
  settings,
  toolName: /^[\w-]{1,128}$/,
  hasCustomTools: false,
  callId: /^[\w-]{1,64}$/,
  needsUserMessage: true,
  losses: { reasoning: 'The vendor reads only thinking with its own signature, which is sent.' },
  encodeRequest,
  streamsUpstream: ({ request }) => request.streams,
  decodeAnswer,
  openDecoder,
  readFailure,
};
