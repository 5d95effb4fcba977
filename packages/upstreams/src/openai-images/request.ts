import type { ImageCall, Target, WireRequest } from '../protocol.js';

/** The client's request for the upstream's model, which gives base64 and refuses to be asked for it. */
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
