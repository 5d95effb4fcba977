import { ChunkPassThrough } from '../openai-compatible-chat/chunk-pass-through.js';
import type { ChatCall, StreamReader } from '../protocol.js';
import { EventStreamReader } from '../sse/event-stream-reader.js';
import { RULES } from './errors.js';

/** Passes chunks through with the public model id. */
export const openReader = (call: ChatCall): StreamReader => new EventStreamReader(new ChunkPassThrough(call, RULES));
