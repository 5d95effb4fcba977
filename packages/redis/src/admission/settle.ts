import { SETTLEMENT_OUTCOMES, type SettlementOutcome, type UsageSettled } from '@gateway/contracts';
import type { RedisKeys } from '../keys.js';
import { EVEN_WHEN_FULL, negated, type ScriptCall } from './script.js';

/**
 * Ends a request once: the hold goes back to spendable, the cost comes out of it (below zero is debt), the lease is
 * released and the usage event appended. A key with a cap has then spent the cost in the place of what it held. Without a
 * hold (Redis has lost it) the cost is taken all the same. A settlement with the outcome `expired` is the sweeper's: it
 * only ends a hold that is still there and is still past its time.
 * The tombstone keeps the outcome, so that whoever comes second learns how the request ended, and the cost, by which a
 * request without an answer is judged.
 *
 * The event is put together from text, not decoded and encoded: cjson would turn an empty list into an object.
 */
export const SETTLE_LUA = `${EVEN_WHEN_FULL}
local account, hold, open_holds, leases, settled, usage, accounts = unpack(KEYS)
local request_id, account_id, cost, minus_cost, event, tombstone_ms, expired_at, outcome = unpack(ARGV, 1, 8)
local spending_prefix = ARGV[9]
local owner, amount, expires_at, spending_key =
  unpack(redis.call('HMGET', hold, 'account', 'amount', 'expiresAt', 'spendingKey'))

local function answer(applied, ended_as)
  local state = redis.call('HMGET', account, 'reserve', 'spendable', 'held')
  return {applied, owner and 1 or 0, state[1] or '0', state[2] or '0', state[3] or '0', ended_as}
end

if owner and owner ~= account_id then return redis.error_reply('WRONGACCOUNT ' .. request_id .. ' is held by another account') end
local before = redis.call('GET', settled)
if before then return answer(0, string.match(before, '^%a*')) end
if expired_at ~= '' and (not owner or tonumber(expires_at) > tonumber(expired_at)) then return answer(0, '') end

redis.call('SADD', accounts, account_id)
if owner then
  redis.call('HINCRBY', account, 'spendable', amount)
  redis.call('HINCRBY', account, 'held', amount == '0' and '0' or '-' .. amount)
  if spending_key then
    redis.call('HINCRBY', spending_prefix .. spending_key, 'held', amount == '0' and '0' or '-' .. amount)
    redis.call('HINCRBY', spending_prefix .. spending_key, 'unsettled', cost)
    event = '"spendingKeyId":"' .. spending_key .. '",' .. event
  end
  redis.call('DEL', hold)
  redis.call('ZREM', open_holds, request_id)
end
redis.call('HINCRBY', account, 'spendable', minus_cost)
redis.call('HINCRBY', account, 'unsettled', cost)
redis.call('ZREM', leases, request_id)
redis.call('SET', settled, outcome .. ':' .. cost, 'PX', tombstone_ms)
redis.call('XADD', usage, '*', 'event', '{"holdNanoUsd":"' .. (amount or '0') .. '",' .. event)
return answer(1, outcome)
`;

export interface Settlement {
  /** False: this request had been settled before, or (outcome `expired`) its hold is gone or was renewed. */
  readonly applied: boolean;
  readonly holdFound: boolean;
  /** How the request has ended, by this call or by an earlier one; null if that is not known or it has not. */
  readonly outcome: SettlementOutcome | null;
  /** What the customer has left, what is held for running requests included. */
  readonly balanceNanoUsd: bigint;
}

export function settleCall(keys: RedisKeys, event: UsageSettled, tombstoneMs: number): ScriptCall {
  const cost = BigInt(event.costNanoUsd);
  if (cost < 0n) throw new RangeError(`a cost of ${cost} nano-USD is out of range`);
  const { holdNanoUsd: _, spendingKeyId: __, ...rest } = event;
  return {
    keys: [
      keys.account(event.accountId),
      keys.hold(event.requestId),
      keys.openHolds,
      keys.leases(event.keyId),
      keys.settled(event.requestId),
      keys.usage,
      keys.accounts,
    ],
    args: [
      event.requestId,
      event.accountId,
      cost.toString(),
      negated(cost),
      JSON.stringify(rest).slice(1),
      tombstoneMs.toString(),
      event.outcome === 'expired' ? event.settledAtMs.toString() : '',
      event.outcome,
      keys.spending(''),
    ],
  };
}

type SettleReply = [
  applied: number,
  holdFound: number,
  reserve: string,
  spendable: string,
  held: string,
  outcome: string,
];

export function readSettleReply(reply: unknown): Settlement {
  const [applied, holdFound, reserve, spendable, held, outcome] = reply as SettleReply;
  return {
    applied: applied === 1,
    holdFound: holdFound === 1,
    outcome: SETTLEMENT_OUTCOMES.find((known) => known === outcome) ?? null,
    balanceNanoUsd: BigInt(reserve) + BigInt(spendable) + BigInt(held),
  };
}
