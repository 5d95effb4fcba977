import { LaneTranslator } from '../chat-lane/lane-translator.js';
import type { ChatCall, StreamReader } from '../protocol.js';
import { SseChatReader } from '../sse/sse-chat-reader.js';
import { RULES } from './errors.js';

/** The upstream's chunks as they come, under the public model id. */
export const openReader = (call: ChatCall): StreamReader => new SseChatReader(new LaneTranslator(call, RULES));
