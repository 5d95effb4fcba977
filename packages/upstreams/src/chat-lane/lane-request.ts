import type { ChatCompletionRequest } from '@gateway/contracts';
import { unsupportedParameter } from '../client-request/refuse-request.js';
import type { ChatCall } from '../protocol.js';

export type LaneBody = Record<string, unknown>;

/** Fields by which an upstream would charge for what the catalogue has no price of. */
export type PaidExtras = Readonly<Record<string, (value: unknown) => boolean>>;

/**
 * The client's request as it came (fields that we do not know included), for a model of that name. The cap on output
 * goes by its current name, and a stream always brings its usage. Throws a GatewayError (400) for a paid extra.
 */
export function laneBody(call: ChatCall, upstreamModel: string, streams: boolean, paidExtras: PaidExtras): LaneBody {
  const request: ChatCompletionRequest = call.request;
  for (const [field, isPaid] of Object.entries(paidExtras)) {
    const value = request[field];
    if (value != null && isPaid(value)) throw unsupportedParameter(field);
  }
  const {
    stream: _stream,
    stream_options: options,
    max_tokens: cap,
    max_completion_tokens: newerCap,
    stop,
    ...rest
  } = request;
  const maxCompletionTokens = newerCap ?? cap;
  return {
    ...rest,
    model: upstreamModel,
    // No stop sequences are said by saying none: models that know none refuse an empty list too.
    ...(stop != null && stop.length > 0 && { stop }),
    ...(maxCompletionTokens != null && { max_completion_tokens: maxCompletionTokens }),
    ...(streams && { stream: true, stream_options: { ...options, include_usage: true } }),
  };
}

/** Headers of a request to an upstream of this protocol. */
export const laneHeaders = (credential: string, streams: boolean): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${credential}`,
  'content-type': 'application/json',
  accept: streams ? 'text/event-stream' : 'application/json',
});
