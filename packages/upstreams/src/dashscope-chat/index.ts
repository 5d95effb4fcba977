import type { ChatProtocol } from '../protocol.js';
import { readFailure } from './errors.js';
import { buildRequest, streamsUpstream } from './request.js';
import { readReply } from './response.js';
import { openReader } from './stream.js';

export const dashScopeChat: ChatProtocol = {
  id: 'dashscope-chat',
  buildRequest,
  streamsUpstream,
  readReply,
  openReader,
  readFailure,
};
