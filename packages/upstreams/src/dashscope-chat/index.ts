import { CHAT_LOSSES, chatCallOf, chatSettings, encodeWith } from '../openai-compatible-chat/chat-body.js';
import { ChunkDecoder } from '../openai-compatible-chat/chunk-decoder.js';
import { decodeCompletion } from '../openai-compatible-chat/completion-decoder.js';
import type { ChatProtocol, NeutralProtocol } from '../protocol.js';
import { RULES, readFailure } from './errors.js';
import { buildRequest, streamsUpstream } from './request.js';
import { readReply } from './response.js';
import { openReader } from './stream.js';

/** Settings that only OpenAI's own API has. */
const OPENAI_ONLY: ReadonlySet<string> = new Set([
  'verbosity',
  'cacheKey',
  'cacheRetention',
  'cacheOptions',
  'safetyIdentifier',
]);

/** For a client of the same format: the bytes pass, with the vendor's changes. */
export const nativeDashScopeChat: ChatProtocol = {
  id: 'dashscope-chat',
  lacksCustomTools: true,
  buildRequest,
  streamsUpstream,
  readReply,
  openReader,
  readFailure,
};

export const dashScopeChat: NeutralProtocol = {
  id: 'dashscope-chat',
  settings: new Set([...chatSettings].filter((name) => !OPENAI_ONLY.has(name))),
  toolName: /^[\w-]{1,64}$/,
  hasCustomTools: false,
  losses: CHAT_LOSSES,
  encodeRequest: encodeWith(buildRequest),
  streamsUpstream: (call) => streamsUpstream(chatCallOf(call)),
  decodeAnswer: (body, call) => decodeCompletion(body, call, RULES),
  openDecoder: (call, sink) => new ChunkDecoder(call, sink, RULES),
  readFailure,
};
