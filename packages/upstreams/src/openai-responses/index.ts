import type { ChatProtocol } from '../protocol.js';
import { readFailure } from './errors.js';
import { buildRequest } from './request.js';
import { readReply } from './response.js';
import { openReader } from './stream.js';

export const openAiResponses: ChatProtocol = {
  id: 'openai-responses',
  buildRequest,
  streamsUpstream: (call) => call.request.stream === true,
  readReply,
  openReader,
  readFailure,
};
