import { ERRORS } from '@gateway/contracts';
import { formatUsd, type NanoUsd } from '@gateway/money';
import { z } from 'zod';
import type { Gateway } from '../gateway.js';
import type { JsonObject, PaidEndpoint } from '../tool.js';
import { ToolFailure } from '../tool-failure.js';
import { readAmount } from './read-amount.js';

/** What is read of a quote: the account interface says more. */
const quote = z.looseObject({
  valid: z.boolean(),
  errors: z.array(z.looseObject({ code: z.string().optional(), message: z.string() })).optional(),
  hold_usd: z.string().nullish(),
});

/**
 * Asks what the call would hold, by the engine that bills, and refuses it where that is above the ceiling. Without an
 * answer it is refused too: a ceiling that only holds on good days is none.
 */
export async function limitCost(
  account: Gateway,
  endpoint: PaidEndpoint,
  body: JsonObject,
  ceiling: NanoUsd,
): Promise<void> {
  const answer = await account.ask({
    method: 'POST',
    path: '/account/quote',
    json: { endpoint, body },
    onlyReads: true,
  });
  const parsed = quote.safeParse(await answer.json());
  const { request_id: requestId } = answer.facts;
  if (!parsed.success) throw unreadable(requestId);
  const { valid, errors, hold_usd: holdUsd } = parsed.data;
  if (!valid) {
    const [first] = errors ?? [];
    const details = { requestId, status: ERRORS.invalid_request.status };
    throw new ToolFailure(first?.code ?? 'invalid_request', first?.message ?? 'The request is not valid.', details);
  }
  const hold = readAmount(holdUsd ?? undefined);
  if (hold === undefined) throw unreadable(requestId);
  if (hold <= ceiling) return;
  const words = `The call could cost up to $${formatUsd(hold)}, more than the ceiling of $${formatUsd(ceiling)}. Nothing was charged.`;
  throw new ToolFailure('max_cost_exceeded', words, { requestId, status: ERRORS.max_cost_exceeded.status });
}

const unreadable = (requestId: string): ToolFailure =>
  new ToolFailure('service_unavailable', 'The price of the call cannot be told now, so it was not made.', {
    requestId,
  });
