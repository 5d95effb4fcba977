import type { RequestId } from '@gateway/contracts';
import { formatUsd, ZERO_USD } from '@gateway/money';
import type { KeptAnswer } from '@gateway/redis';
import type { FastifyReply } from 'fastify';

/**
 * Gives an earlier answer again: nothing is run, and nothing charged. `x-request-id` is this request's own, as on every
 * answer; the receipt is that of `idempotent-request-id`.
 */
export function replay(
  { requestId, answer }: { readonly requestId: RequestId; readonly answer: KeptAnswer },
  reply: FastifyReply,
): void {
  reply
    .code(answer.status)
    .headers({
      'content-type': answer.contentType,
      'idempotent-replayed': 'true',
      'idempotent-request-id': requestId,
      'x-cost-usd': formatUsd(ZERO_USD),
    })
    .send(answer.body);
}
