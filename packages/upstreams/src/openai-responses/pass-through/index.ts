import type { PassThroughResponsesCall, StreamingProtocol } from '../../protocol.js';
import { readFailure } from '../errors.js';
import { readReply } from './reply.js';
import { buildRequest } from './request.js';
import { openReader } from './stream.js';

/** Client and upstream share the protocol: the bytes pass through, only the client's names change, and usage is read. */
export const responsesPassThrough: StreamingProtocol<PassThroughResponsesCall> = {
  id: 'openai-responses',
  buildRequest,
  streamsUpstream: (call) => call.streams,
  readReply,
  openReader,
  readFailure,
};
