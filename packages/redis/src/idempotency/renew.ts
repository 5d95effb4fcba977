import { CLOCK_LUA, EVEN_WHEN_FULL, type ScriptCall } from '../admission/script.js';
import type { RedisKeys } from '../keys.js';
import { recordOf, type Turn } from './idempotency-claim.js';

/** Moves the lease of a turn later, if the record is still its own: 1, else 0. */
export const RENEW_LUA = `${EVEN_WHEN_FULL}${CLOCK_LUA}
local record = KEYS[1]
local request_id, lease_ms, given_ms = unpack(ARGV)
local owner, state = unpack(redis.call('HMGET', record, 'request', 'state'))
if owner ~= request_id or state ~= 'begun' then return 0 end
redis.call('HSET', record, 'leaseUntil', math.floor(now_us(given_ms) / 1000) + tonumber(lease_ms))
return 1
`;

export const renewCall = (keys: RedisKeys, turn: Turn, leaseMs: number, nowMs: string): ScriptCall => ({
  keys: [recordOf(keys, turn)],
  args: [turn.requestId, `${leaseMs}`, nowMs],
});
