import { queryBoolean, SETTLEMENT_OUTCOMES } from '@gateway/contracts';
import type { SettlementFilter } from '@gateway/postgres';
import { z } from 'zod';
import { type AccountCaller, isTestCaller, mayReadAccount } from '../guards/caller.js';
import { fromTo, isPeriod, order, PERIOD_FAULT, pageOrFile, text, usd } from '../http/fields.js';

const OUTCOMES = [...SETTLEMENT_OUTCOMES.filter((outcome) => outcome !== 'held'), 'cancelled'] as const;

/** As `member_id`: the keys of the organisation, which belong to no member. */
const NO_MEMBER = 'none';

/** `404`, or `4xx` for a class of statuses. */
const status = z
  .string()
  .regex(/^[1-5](\d\d|xx)$/, 'must be an HTTP status such as 429, or a class such as 4xx')
  .transform((given): [number, number] => [Number(given.replace('xx', '00')), Number(given.replace('xx', '99'))]);

export const requestsQuery = z
  .strictObject({
    ...pageOrFile,
    key_id: text(64).optional(),
    member_id: text(64).optional(),
    model: text(200).optional(),
    endpoint: text(64).optional(),
    outcome: z.enum(OUTCOMES, `must be one of ${OUTCOMES.join(', ')}`).optional(),
    status: status.optional(),
    idempotency_key: text(255).optional(),
    count: queryBoolean.default(false),
    request_id: text(64).optional(),
    min_cost_usd: usd.optional(),
    max_cost_usd: usd.optional(),
    order,
    ...fromTo,
  })
  .refine(isPeriod, PERIOD_FAULT)
  .refine(({ min_cost_usd: min, max_cost_usd: max }) => min === undefined || max === undefined || min <= max, {
    path: ['max_cost_usd'],
    message: 'must not be below min_cost_usd',
  });

/** Null: a key without the scope `account:read` asks for the requests of another key. */
export function filterOf(caller: AccountCaller, given: z.output<typeof requestsQuery>): SettlementFilter | null {
  const ownKeyId = caller.kind === 'key' && !mayReadAccount(caller) ? caller.key.keyId : undefined;
  if (ownKeyId !== undefined && given.key_id !== undefined && given.key_id !== ownKeyId) return null;
  return {
    keyId: ownKeyId ?? given.key_id,
    memberId: given.member_id === NO_MEMBER ? null : given.member_id,
    onlyTest: isTestCaller(caller),
    model: given.model,
    endpoint: given.endpoint,
    outcome: given.outcome,
    status: given.status,
    idempotencyKey: given.idempotency_key,
    requestId: given.request_id,
    leastCostNanoUsd: given.min_cost_usd,
    mostCostNanoUsd: given.max_cost_usd,
    from: given.from,
    to: given.to,
  };
}
