import type { Readable } from 'node:stream';
import type { RequestId } from '@gateway/contracts';
import type { StoredResponse } from '@gateway/redis';
import type { FastifyReply } from 'fastify';
import type { BufferedResponse } from '../edge-request.js';

/** The stored response of an earlier request. A large body is a stream. */
export interface ReplayedResponse {
  readonly requestId: RequestId;
  readonly response: StoredResponse<Buffer | Readable> & { readonly bytes: number };
}

/**
 * Sends a stored response again; nothing is run or charged. The receipt belongs to `idempotent-request-id`, not to
 * `x-request-id`. `buffered` receives the body instead of the client, if it buffers such a response.
 */
export async function replay(
  { requestId, response }: ReplayedResponse,
  reply: FastifyReply,
  buffered?: BufferedResponse,
): Promise<void> {
  const { status, contentType, changes, bytes, body } = response;
  reply.headers({ ...changes, 'idempotent-replayed': 'true', 'idempotent-request-id': requestId });
  if (buffered?.buffers(response) === true) {
    buffered.end(Buffer.isBuffer(body) ? body : Buffer.concat(await body.toArray()));
  } else reply.code(status).headers({ 'content-type': contentType, 'content-length': bytes }).send(body);
}
