import { CHAT_LOSSES, chatSettings, encodeWith } from '../openai-compatible-chat/chat-body.js';
import { ChunkDecoder } from '../openai-compatible-chat/chunk-decoder.js';
import { decodeCompletion } from '../openai-compatible-chat/completion-decoder.js';
import type { ChatProtocol, NeutralProtocol } from '../protocol.js';
import { RULES, readFailure } from './errors.js';
import { buildRequest, buildTranslated } from './request.js';
import { readReply } from './response.js';
import { openReader } from './stream.js';

/** For a client of the same format: the bytes pass. */
export const nativeOpenAiChat: ChatProtocol = {
  id: 'openai-chat',
  buildRequest,
  streamsUpstream: (call) => call.members.read('stream') === true,
  readReply,
  openReader,
  readFailure,
};

export const openAiChat: NeutralProtocol = {
  id: 'openai-chat',
  settings: chatSettings,
  toolName: /^[\w-]{1,64}$/,
  hasCustomTools: false,
  callId: /^.{1,40}$/s,
  closesStrictSchemas: true,
  losses: CHAT_LOSSES,
  encodeRequest: encodeWith(buildTranslated),
  streamsUpstream: ({ request }) => request.streams,
  decodeAnswer: (body, call) => decodeCompletion(body, call, RULES),
  openDecoder: (call, sink) => new ChunkDecoder(call, sink, RULES),
  readFailure,
};
