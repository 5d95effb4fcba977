import { LaneCollector } from '../chat-lane/lane-collector.js';
import { LaneTranslator } from '../chat-lane/lane-translator.js';
import type { ChatCall, StreamReader } from '../protocol.js';
import { SseChatReader } from '../sse/sse-chat-reader.js';
import { RULES } from './errors.js';

/** The upstream's chunks as they come, or collected into one answer for a client who does not stream. */
export const openReader = (call: ChatCall): StreamReader =>
  new SseChatReader(call.request.stream === true ? new LaneTranslator(call, RULES) : new LaneCollector(call, RULES));
