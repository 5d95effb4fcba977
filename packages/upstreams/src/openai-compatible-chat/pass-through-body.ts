import type { ChatCompletionRequest } from '@gateway/contracts';
import { unsupportedParameter } from '../client-request/refuse-request.js';
import type { JsonMembers } from '../json/json-members.js';
import type { ChatCall } from '../protocol.js';

/** Request fields that cost extra upstream but have no price in the catalogue; the function detects billable values. */
export type UnpricedFields = Readonly<Record<string, (value: unknown) => boolean>>;

/**
 * Builds the upstream body from the client's bytes, unknown fields included. Sets the model, renames `max_tokens` to
 * `max_completion_tokens`, and always requests usage with a stream. Throws a GatewayError (400) for an unpriced field.
 */
export function passThroughBody(
  { members }: ChatCall,
  upstreamModel: string,
  streams: boolean,
  unpricedFields: UnpricedFields,
): JsonMembers<ChatCompletionRequest> {
  for (const [field, isPaid] of Object.entries(unpricedFields)) {
    const value = members.read(field);
    if (value != null && isPaid(value)) throw unsupportedParameter(field);
  }
  const stop = members.read('stop');
  return members.with({
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
