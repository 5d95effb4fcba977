import type { RequestId } from '@gateway/contracts';
import { formatUsd, ZERO_USD } from '@gateway/money';
import type { KeptAnswer } from '@gateway/redis';
import type { FastifyReply } from 'fastify';
import type { HeldAnswer } from '../held-answer.js';

/**
 * Gives an earlier answer again: nothing is run, and nothing charged. `x-request-id` is this request's own, as on every
 * answer; the receipt is that of `idempotent-request-id`. `held` is given it instead of the client, if it wants it.
 */
export function replay(
  { requestId, answer }: { readonly requestId: RequestId; readonly answer: KeptAnswer },
  reply: FastifyReply,
  held?: HeldAnswer,
): void {
  reply.headers({
    'idempotent-replayed': 'true',
    'idempotent-request-id': requestId,
    'x-cost-usd': formatUsd(ZERO_USD),
  });
  if (held?.holdsBack(answer) === true) held.end(answer.body);
  else reply.code(answer.status).header('content-type', answer.contentType).send(answer.body);
}
