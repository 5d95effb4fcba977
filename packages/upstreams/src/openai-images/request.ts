import type { ImageCall, Target, WireRequest } from '../protocol.js';

/** The client's request for the upstream's model. */
export const buildRequest = ({ request }: ImageCall<'openai-images'>, target: Target): WireRequest => ({
  method: 'POST',
  url: `${target.baseUrl}/v1/images/generations`,
  headers: {
    authorization: `Bearer ${target.credential}`,
    'content-type': 'application/json',
    accept: request.stream === true ? 'text/event-stream' : 'application/json',
  },
  body: JSON.stringify({ ...request, model: target.upstreamModel }),
});
