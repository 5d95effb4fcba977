import { readCompletion } from '../openai-compatible-chat/read-completion.js';
import type { ChatCall, UpstreamReply } from '../protocol.js';
import { RULES } from './errors.js';

/** The upstream's answer under the public model id. */
export const readReply = (body: Uint8Array, call: ChatCall): UpstreamReply => readCompletion(body, call, RULES);
