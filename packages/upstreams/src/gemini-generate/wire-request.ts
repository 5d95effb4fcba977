import type { Target, WireRequest } from '../protocol.js';

/** A call of a method of the model, such as `generateContent`. The path names the upstream's model. */
export const wireRequest = (method: string, body: string | Buffer, target: Target): WireRequest => ({
  method: 'POST',
  url: `${target.baseUrl}/v1beta/models/${encodeURIComponent(target.upstreamModel)}:${method}`,
  headers: {
    'x-goog-api-key': target.credential,
    'content-type': 'application/json',
    accept: method.endsWith('sse') ? 'text/event-stream' : 'application/json',
  },
  body,
});

/** The vendor's method that answers a prompt. */
export const generateMethod = (streams: boolean): string =>
  streams ? 'streamGenerateContent?alt=sse' : 'generateContent';
