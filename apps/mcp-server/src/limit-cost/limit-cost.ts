import { ERRORS } from '@gateway/contracts';
import { formatUsd, type NanoUsd } from '@gateway/money';
import { z } from 'zod';
import type { Gateway } from '../gateway.js';
import type { JsonObject, PaidEndpoint } from '../tool.js';
import { ToolFailure } from '../tool-failure.js';
import { readAmount } from './read-amount.js';

/** Fields read from `POST /account/quote`. */
const quoteResponse = z.looseObject({
  valid: z.boolean(),
  errors: z.array(z.looseObject({ code: z.string().optional(), message: z.string() })).optional(),
  hold_usd: z.string().nullish(),
});

/**
 * Requests a quote from the account interface and throws a ToolFailure if the hold exceeds the ceiling. Throws as well if no
 * quote is available: a ceiling must hold while that interface is down.
 */
export async function limitCost(
  account: Gateway,
  endpoint: PaidEndpoint,
  body: JsonObject,
  ceiling: NanoUsd,
): Promise<void> {
  const response = await account.request({
    method: 'POST',
    path: '/account/quote',
    json: { endpoint, body },
    isReadOnly: true,
  });
  const parsed = quoteResponse.safeParse(await response.json());
  const { request_id: requestId } = response.facts;
  if (!parsed.success) throw unreadableQuote(requestId);
  const { valid, errors, hold_usd: holdUsd } = parsed.data;
  if (!valid) {
    const [first] = errors ?? [];
    const details = { requestId, status: ERRORS.invalid_request.status };
    throw new ToolFailure(first?.code ?? 'invalid_request', first?.message ?? 'The request is not valid.', details);
  }
  const hold = readAmount(holdUsd ?? undefined);
  if (hold === undefined) throw unreadableQuote(requestId);
  if (hold <= ceiling) return;
  const message = `The call could cost up to $${formatUsd(hold)}, more than the ceiling of $${formatUsd(ceiling)}. Nothing was charged.`;
  throw new ToolFailure('max_cost_exceeded', message, { requestId, status: ERRORS.max_cost_exceeded.status });
}

const unreadableQuote = (requestId: string): ToolFailure =>
  new ToolFailure('service_unavailable', 'The call was not made: its price is not available now.', { requestId });
