import { ChunkCollector } from '../openai-compatible-chat/chunk-collector.js';
import { ChunkPassThrough } from '../openai-compatible-chat/chunk-pass-through.js';
import type { ChatCall, StreamReader } from '../protocol.js';
import { EventStreamReader } from '../sse/event-stream-reader.js';
import { RULES } from './errors.js';

/** Passes chunks through, or collects them for a client that does not stream. */
export const openReader = (call: ChatCall): StreamReader =>
  new EventStreamReader(
    call.request.stream === true ? new ChunkPassThrough(call, RULES) : new ChunkCollector(call, RULES),
  );
