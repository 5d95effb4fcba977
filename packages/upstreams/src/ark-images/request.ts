import type { ImageCall, Target, WireRequest } from '../protocol.js';
import { PATH } from './wire.js';

/** The client's request for the upstream's model; `n` is a field of client libraries that the vendor has not. */
export function buildRequest({ request }: ImageCall<'ark-images'>, target: Target): WireRequest {
  const { n: _one, ...rest } = request;
  return {
    method: 'POST',
    url: `${target.baseUrl}${PATH}`,
    headers: {
      authorization: `Bearer ${target.credential}`,
      'content-type': 'application/json',
      accept: request.stream === true ? 'text/event-stream' : 'application/json',
    },
    body: JSON.stringify({ ...rest, model: target.upstreamModel }),
  };
}
