import type { Target, WireRequest } from '../protocol.js';

/** A request for a response, or below its path, with our credential. */
export const wireRequest = (
  body: string | Buffer,
  streams: boolean,
  target: Target,
  path: '' | '/compact' = '',
): WireRequest => ({
  method: 'POST',
  url: `${target.baseUrl}/v1/responses${path}`,
  headers: {
    authorization: `Bearer ${target.credential}`,
    'content-type': 'application/json',
    accept: streams ? 'text/event-stream' : 'application/json',
  },
  body,
});
