import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * The request as the protocol's library takes it: without its body, which is parsed already. Its signal is aborted when
 * the client leaves before the answer is over.
 */
export function webRequestOf(http: FastifyRequest, reply: FastifyReply): Request {
  const left = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) left.abort();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(http.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  if (takesAnything(headers.get('accept'))) headers.set('accept', BOTH);
  return new Request(`http://${http.host || 'localhost'}${http.url}`, {
    method: http.method,
    headers,
    signal: left.signal,
  });
}

const EVENT_STREAM = 'text/event-stream';
const BOTH = `application/json, ${EVENT_STREAM}`;

/** What programs say that were not written for this protocol, or do not say; the library wants both types by name. */
const takesAnything = (accept: string | null): boolean => accept === null || accept.includes('*/*');

/** Whether a connection is kept is the server's to say, which may be about to end; the library would keep every one. */
const OF_THE_CONNECTION = 'connection';

/** Sends the library's answer, an event stream as it comes. */
export async function answerWeb(answer: Response, reply: FastifyReply): Promise<void> {
  reply.code(answer.status);
  for (const [name, value] of answer.headers) if (name !== OF_THE_CONNECTION) reply.header(name, value);
  // Tells proxies on the way to let a stream through as it comes.
  if (answer.headers.get('content-type')?.startsWith(EVENT_STREAM) === true) reply.header('x-accel-buffering', 'no');
  const { body } = answer;
  await reply.send(body === null ? '' : Readable.fromWeb(body as ReadableStream));
}
