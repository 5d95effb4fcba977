import type { ChatCompletionRequest } from '@gateway/contracts';
import { unsupportedParameter } from '../client-request/refuse-request.js';
import type { JsonMembers } from '../json/json-members.js';
import type { ChatCall } from '../protocol.js';

/** Fields by which an upstream would charge for what the catalogue has no price of. */
export type UnpricedFields = Readonly<Record<string, (value: unknown) => boolean>>;

/**
 * The client's request as it came (fields that we do not know included), for a model of that name. The cap on output
 * goes by its current name, and a stream always brings its usage. Throws a GatewayError (400) for a paid extra.
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
    // No stop sequences are said by saying none: models that know none refuse an empty list too.
    stop: stop != null && stop.length > 0 ? stop : undefined,
    max_tokens: undefined,
    max_completion_tokens: members.read('max_completion_tokens') ?? members.read('max_tokens') ?? undefined,
    stream: streams || undefined,
    stream_options: streams ? { ...members.read('stream_options'), include_usage: true } : undefined,
  });
}

/** Headers of a request to an upstream of this protocol. */
export const chatHeaders = (credential: string, streams: boolean): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${credential}`,
  'content-type': 'application/json',
  accept: streams ? 'text/event-stream' : 'application/json',
});
