import type { ChatProtocol } from '../protocol.js';
import { readFailure } from './errors.js';
import { buildRequest } from './request.js';
import { readReply } from './response.js';
import { openReader } from './stream.js';

export const geminiGenerate: ChatProtocol = {
  id: 'gemini-generate',
  buildRequest,
  streamsUpstream: (call) => call.request.stream === true,
  readReply,
  openReader,
  readFailure,
};
