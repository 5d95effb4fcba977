import type { CompactCall, Protocol } from '../../protocol.js';
import { readFailure } from '../errors.js';
import { readReply } from './reply.js';
import { buildRequest } from './request.js';

/** The vendor compacts a conversation itself: the bytes pass through, and usage is read. */
export const compactPassThrough: Protocol<CompactCall> = {
  id: 'openai-responses',
  buildRequest,
  readReply,
  readFailure,
};
