import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Converts a Fastify request for the protocol library, without the body, which Fastify has parsed. Its signal aborts if
 * the client disconnects before the response ends.
 */
export function toWebRequest(http: FastifyRequest, reply: FastifyReply): Request {
  const disconnected = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) disconnected.abort();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(http.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  if (acceptsAnything(headers.get('accept'))) headers.set('accept', BOTH);
  return new Request(`http://${http.host || 'localhost'}${http.url}`, {
    method: http.method,
    headers,
    signal: disconnected.signal,
  });
}

const EVENT_STREAM = 'text/event-stream';
const BOTH = `application/json, ${EVENT_STREAM}`;

/** General HTTP clients send a wildcard or no header, but the library requires both types by name. */
const acceptsAnything = (accept: string | null): boolean => accept === null || accept.includes('*/*');

/** Not copied: the library always keeps connections alive, but a draining server must close them. */
const CONNECTION_HEADER = 'connection';

/** Sends the library's response. An event stream is forwarded without buffering. */
export async function sendWebResponse(response: Response, reply: FastifyReply): Promise<void> {
  reply.code(response.status);
  for (const [name, value] of response.headers) if (name !== CONNECTION_HEADER) reply.header(name, value);
  // Disables buffering in nginx and similar proxies.
  if (response.headers.get('content-type')?.startsWith(EVENT_STREAM) === true) reply.header('x-accel-buffering', 'no');
  const { body } = response;
  await reply.send(body === null ? '' : Readable.fromWeb(body as ReadableStream));
}
