import type { FastifyReply } from 'fastify';
import { commonHeaders } from '../http/request-context.js';
import { STREAM_HEADERS } from './response-headers.js';

/** Takes over the reply, and writes the head of a stream of server-sent events. `own`: further headers. */
export function beginEventStream(reply: FastifyReply, own: Readonly<Record<string, string>> = {}): void {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...own,
    ...commonHeaders(reply.request),
    ...STREAM_HEADERS,
    'content-type': 'text/event-stream; charset=utf-8',
  });
}

/** Responds to a HEAD of a stream, and returns true. Its connection would serve nothing else until the stream ends. */
export function sendHeadOfStream(reply: FastifyReply): boolean {
  if (reply.request.method !== 'HEAD') return false;
  beginEventStream(reply, reply.getHeaders() as Record<string, string>);
  reply.raw.end();
  return true;
}
