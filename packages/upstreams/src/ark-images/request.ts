import type { ImageCall, Target, WireRequest } from '../protocol.js';
import { PATH } from './wire.js';

/** Sends the client's body with the upstream model. Drops `n` and `user`, which client libraries send and the vendor rejects. */
export function buildRequest({ request }: ImageCall<'ark-images'>, target: Target): WireRequest {
  const { n: _one, user: _user, ...rest } = request;
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
