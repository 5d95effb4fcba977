import type { ImageCall, Target, WireRequest } from '../protocol.js';

/** Sends the client's body with the upstream model. Drops `response_format`: the upstream always returns base64. */
export function buildRequest({ request }: ImageCall<'openai-images'>, target: Target): WireRequest {
  const { response_format: _base64, ...body } = request;
  return {
    method: 'POST',
    url: `${target.baseUrl}/v1/images/generations`,
    headers: {
      authorization: `Bearer ${target.credential}`,
      'content-type': 'application/json',
      accept: request.stream === true ? 'text/event-stream' : 'application/json',
    },
    body: JSON.stringify({ ...body, model: target.upstreamModel }),
  };
}
