import type { ChatProtocol } from '../protocol.js';
import { readFailure } from './errors.js';
import { buildRequest } from './request.js';
import { readReply } from './response.js';
import { openReader } from './stream.js';

export const openAiChat: ChatProtocol = {
  id: 'openai-chat',
  buildRequest,
  streamsUpstream: (call) => call.members.read('stream') === true,
  readReply,
  openReader,
  readFailure,
};
