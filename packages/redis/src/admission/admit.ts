import type { AdmissionOutcome, AdmissionRequest, RateState } from '@gateway/contracts';
import type { RedisKeys } from '../keys.js';
import { BALANCE_LUA, readBalance } from './balance.js';
import { CLOCK_LUA, type ScriptCall } from './script.js';

const LARGEST_EXACT = 2n ** 53n;
const CONCURRENCY_RETRY_MS = 1_000;

/**
 * Concurrency, then rate, then money: the key's cap, then the balance. Everything is computed first and written only if
 * all pass, so that a refusal leaves nothing behind; it says what is left. A request that has a hold, or had one, is answered as the first time.
 *
 * The rate is a GCRA: `interval` is the time one request takes from the minute, `tat` the time at which the minute is
 * whole again. Both are whole microseconds, exact in doubles, so that a whole minute's burst passes and not one more.
 */
export const ADMIT_LUA = `${CLOCK_LUA}${BALANCE_LUA}
local epoch, account, hold, open_holds, leases, rate, settled, spending = unpack(KEYS)
local request_id, account_id, key_id, amount, expires_at, about = unpack(ARGV, 1, 6)
local spending_key_id, cap, spent, spent_version = unpack(ARGV, 12, 15)
local limit, concurrency, lease_ms = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9])
local now = now_us(ARGV[10])
local now_ms = math.floor(now / 1000)

if redis.call('EXISTS', epoch) == 0 then return {'rebuilding'} end

local interval, tat = 0, now
if limit > 0 then
  interval = math.max(1, math.floor(60000000 / limit))
  tat = math.max(now, tonumber(redis.call('GET', rate) or '0'))
end

local function answer(outcome, used_until, detail)
  local used = used_until - now
  local remaining = 0
  if limit > 0 then remaining = math.max(0, math.floor((interval * limit - used) / interval)) end
  local left = outcome == 'admitted' and '' or balance(account)
  return {outcome, remaining, math.ceil(used / 1000), detail, left}
end

if redis.call('EXISTS', hold, settled) > 0 then return answer('admitted', tat, '') end

if concurrency > 0 and redis.call('ZCOUNT', leases, '(' .. now_ms, '+inf') >= concurrency then
  return answer('concurrency', tat, '')
end

local next_tat = tat + interval
local wait = next_tat - now - interval * limit
if limit > 0 and wait > 0 then return answer('rate', tat, string.format('%.0f', math.ceil(wait / 1000))) end

if spending then
  local known = redis.call('HMGET', spending, 'spent', 'version', 'unsettled', 'held')
  if known[2] and tonumber(known[2]) >= tonumber(spent_version) then spent, spent_version = known[1], known[2] end
  local taken = tonumber(spent) + tonumber(known[3] or '0') + tonumber(known[4] or '0')
  if taken + tonumber(amount) > tonumber(cap) then return answer('spend_cap', tat, string.format('%.0f', taken)) end
end

local spendable = redis.call('HGET', account, 'spendable') or '0'
if ARGV[11] == '' and tonumber(spendable) < tonumber(amount) then return answer('funds', tat, spendable) end

if concurrency > 0 then
  redis.call('ZREMRANGEBYSCORE', leases, '-inf', now_ms)
  redis.call('ZADD', leases, now_ms + lease_ms, request_id)
  if redis.call('PTTL', leases) < lease_ms then redis.call('PEXPIRE', leases, lease_ms) end
end
if limit > 0 then
  redis.call('SET', rate, string.format('%.0f', next_tat), 'PX', math.ceil((next_tat - now) / 1000))
end
redis.call('HINCRBY', account, 'spendable', amount == '0' and '0' or '-' .. amount)
redis.call('HINCRBY', account, 'held', amount)
redis.call('HSET', hold, 'account', account_id, 'key', key_id, 'amount', amount, 'expiresAt', expires_at,
  'leased', concurrency > 0 and '1' or '0', 'about', about)
if spending then
  redis.call('HSET', spending, 'spent', spent, 'version', spent_version)
  redis.call('HINCRBY', spending, 'held', amount)
  redis.call('HSET', hold, 'spendingKey', spending_key_id)
end
redis.call('ZADD', open_holds, expires_at, request_id)
return answer('admitted', next_tat, '')
`;

export function admitCall(keys: RedisKeys, request: AdmissionRequest, leaseMs: number, nowMs: string): ScriptCall {
  if (request.holdNanoUsd < 0n || request.holdNanoUsd >= LARGEST_EXACT) {
    throw new RangeError(`a hold of ${request.holdNanoUsd} nano-USD is out of range`);
  }
  const { spendCap } = request;
  return {
    keys: [
      keys.epoch,
      keys.account(request.accountId),
      keys.hold(request.requestId),
      keys.openHolds,
      keys.leases(request.keyId),
      keys.rate(request.keyId),
      keys.settled(request.requestId),
      ...(spendCap === undefined ? [] : [keys.spending(spendCap.spendingKeyId)]),
    ],
    args: [
      request.requestId,
      request.accountId,
      request.keyId,
      request.holdNanoUsd.toString(),
      request.holdExpiresAtMs.toString(),
      JSON.stringify(request.about),
      request.requestsPerMinute.toString(),
      request.concurrency.toString(),
      leaseMs.toString(),
      nowMs,
      request.isFree === true ? '1' : '',
      ...(spendCap === undefined
        ? []
        : [spendCap.spendingKeyId, spendCap.capNanoUsd, spendCap.spentNanoUsd, spendCap.version]),
    ],
  };
}

type AdmitReply =
  | readonly ['rebuilding']
  | readonly [
      outcome: 'admitted' | 'concurrency' | 'rate' | 'spend_cap' | 'funds',
      remaining: number,
      resetMs: number,
      detail: string,
      balance: string,
    ];

export function readAdmitReply(reply: unknown, request: AdmissionRequest): AdmissionOutcome {
  const [outcome, remaining = 0, resetMs = 0, detail = '', left = ''] = reply as AdmitReply;
  const rate: RateState = { limit: request.requestsPerMinute, remaining, resetMs };
  const balanceNanoUsd = readBalance(left);
  switch (outcome) {
    case 'rebuilding':
      return { outcome };
    case 'admitted':
      return { outcome, rate };
    case 'concurrency':
      return { outcome, rate, balanceNanoUsd, retryAfterMs: CONCURRENCY_RETRY_MS };
    case 'rate':
      return { outcome, rate, balanceNanoUsd, retryAfterMs: Number(detail) };
    case 'spend_cap':
      return { outcome, rate, balanceNanoUsd, takenNanoUsd: BigInt(detail) };
    case 'funds':
      return { outcome, rate, balanceNanoUsd, missingNanoUsd: request.holdNanoUsd - BigInt(detail) };
  }
}
