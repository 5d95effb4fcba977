import { readCompletion } from '../openai-compatible-chat/read-completion.js';
import type { ChatCall, UpstreamReply } from '../protocol.js';
import { RULES } from './errors.js';

/** Passes the completion through with the public model id. */
export const readReply = (body: Uint8Array, call: ChatCall): UpstreamReply => readCompletion(body, call, RULES);
