import type { PassThroughMessagesProtocol } from '../../protocol.js';
import { readFailure } from '../errors.js';
import { readCountReply, readMessagesReply } from './reply.js';
import { buildCountRequest, buildMessagesRequest } from './request.js';
import { openMessagesReader } from './stream.js';

/** Client and upstream share the format: the bytes pass through, only the model name changes, and usage is read. */
export const messagesPassThrough: PassThroughMessagesProtocol = {
  create: {
    id: 'anthropic-messages',
    buildRequest: buildMessagesRequest,
    streamsUpstream: (call) => call.streams,
    readReply: readMessagesReply,
    openReader: openMessagesReader,
    readFailure,
  },
  countTokens: {
    id: 'anthropic-messages',
    buildRequest: buildCountRequest,
    readReply: readCountReply,
    readFailure,
  },
};
