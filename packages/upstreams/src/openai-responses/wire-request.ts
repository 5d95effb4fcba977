import type { Target, WireRequest } from '../protocol.js';

/** A request for a response, with our credential. */
export const wireRequest = (body: string | Buffer, streams: boolean, target: Target): WireRequest => ({
  method: 'POST',
  url: `${target.baseUrl}/v1/responses`,
  headers: {
    authorization: `Bearer ${target.credential}`,
    'content-type': 'application/json',
    accept: streams ? 'text/event-stream' : 'application/json',
  },
  body,
});
