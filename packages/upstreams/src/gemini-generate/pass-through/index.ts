import type { PassThroughGenerateProtocol } from '../../protocol.js';
import { readFailure } from '../errors.js';
import { readCountReply, readGenerateReply } from './reply.js';
import { buildCountRequest, buildGenerateRequest } from './request.js';
import { openGenerateReader } from './stream.js';

/** Client and upstream share the format: the bytes pass through, only the model name changes, and usage is read. */
export const generatePassThrough: PassThroughGenerateProtocol = {
  create: {
    id: 'gemini-generate',
    buildRequest: buildGenerateRequest,
    streamsUpstream: (call) => call.framing !== undefined,
    readReply: readGenerateReply,
    openReader: openGenerateReader,
    readFailure,
  },
  countTokens: {
    id: 'gemini-generate',
    buildRequest: buildCountRequest,
    readReply: readCountReply,
    readFailure,
  },
};
