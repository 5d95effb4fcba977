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

/** Marks a response that runs nothing. */
export const REPLAYED = { 'idempotent-replayed': 'true' } as const;

/** The receipt belongs to `idempotent-request-id`, not to `x-request-id`. */
export const replayHeaders = ({
  requestId,
}: Pick<ReplayedResponse, 'requestId'>): Readonly<Record<string, string>> => ({
  ...REPLAYED,
  'idempotent-request-id': requestId,
});

/**
 * Sends a stored response again; nothing is run or charged. `buffered` receives the body instead of the client, if it buffers such a response.
 */
export async function replay(
  { requestId, response }: ReplayedResponse,
  reply: FastifyReply,
  buffered?: BufferedResponse,
): Promise<void> {
  const { status, contentType, changes, bytes, body } = response;
  reply.headers({ ...changes, ...replayHeaders({ requestId }) });
  if (buffered?.buffers(response) === true) {
    buffered.end(Buffer.isBuffer(body) ? body : Buffer.concat(await body.toArray()));
  } else reply.code(status).headers({ 'content-type': contentType, 'content-length': bytes }).send(body);
}
