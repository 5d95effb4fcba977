import { readLaneReply } from '../chat-lane/lane-reply.js';
import type { ChatCall, UpstreamReply } from '../protocol.js';
import { RULES } from './errors.js';

/** The upstream's answer under the public model id. */
export const readReply = (body: Uint8Array, call: ChatCall): UpstreamReply => readLaneReply(body, call, RULES);
