import type { Readable } from 'node:stream';
import type { RequestId } from '@gateway/contracts';
import type { StoredResponse } from '@gateway/redis';
import type { FastifyReply } from 'fastify';
import type { HeldAnswer } from '../held-answer.js';

/** A large answer comes piece by piece. */
export interface AnsweredBefore {
  readonly requestId: RequestId;
  readonly answer: StoredResponse<Buffer | Readable> & { readonly bytes: number };
}

/**
 * Gives an earlier answer again: nothing is run, and nothing charged, as its headers say by now. `x-request-id` is this request's own, as on every
 * answer; the receipt is that of `idempotent-request-id`. `held` is given it instead of the client, if it wants it.
 */
export async function replay(
  { requestId, answer }: AnsweredBefore,
  reply: FastifyReply,
  held?: HeldAnswer,
): Promise<void> {
  const { status, contentType, bytes, body } = answer;
  reply.headers({ 'idempotent-replayed': 'true', 'idempotent-request-id': requestId });
  if (held?.holdsBack(answer) === true) held.end(Buffer.isBuffer(body) ? body : Buffer.concat(await body.toArray()));
  else reply.code(status).headers({ 'content-type': contentType, 'content-length': bytes }).send(body);
}
