import type { ChatCompletionRequest } from '@gateway/contracts';
import type { JsonMembers } from '../json/json-members.js';
import type { ChatCall } from '../protocol.js';

/**
 * Builds the upstream body from the client's bytes. Sets the model, renames `max_tokens` to `max_completion_tokens`, and
 * always requests usage with a stream. `dropped`: the fields that the vendor does not take.
 */
export function passThroughBody(
  { members }: ChatCall,
  upstreamModel: string,
  streams: boolean,
  dropped: Readonly<Record<string, undefined>>,
): JsonMembers<ChatCompletionRequest> {
  const stop = members.read('stop');
  return members.with({
    ...dropped,
    model: upstreamModel,
    // An empty list is dropped: models without stop sequences reject it.
    stop: stop != null && stop.length > 0 ? stop : undefined,
    max_tokens: undefined,
    max_completion_tokens: members.read('max_completion_tokens') ?? members.read('max_tokens') ?? undefined,
    stream: streams || undefined,
    stream_options: streams ? { ...members.read('stream_options'), include_usage: true } : undefined,
  });
}

/** Request headers of OpenAI-compatible chat APIs. */
export const chatHeaders = (credential: string, streams: boolean): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${credential}`,
  'content-type': 'application/json',
  accept: streams ? 'text/event-stream' : 'application/json',
});
