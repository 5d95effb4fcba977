import { EVEN_WHEN_FULL, type ScriptCall } from '../admission/script.js';
import type { RedisKeys } from '../keys.js';
import { recordOf, type Turn } from './idempotency-claim.js';
import { JUDGE_LUA } from './judge.js';

/**
 * Ends a turn that has no answer to keep. If its request was charged all the same, the record stays and says so; if it is
 * not settled yet, the next one to ask finds out; else nothing is left.
 */
export const FREE_LUA = `${EVEN_WHEN_FULL}${JUDGE_LUA}
local record = KEYS[1]
local request_id, hold_prefix, settled_prefix = unpack(ARGV)
local owner, state = unpack(redis.call('HMGET', record, 'request', 'state'))
if owner ~= request_id or state ~= 'begun' then return 0 end
local verdict = judge(request_id, hold_prefix, settled_prefix)
if verdict == 'free' then
  redis.call('DEL', record)
elseif verdict == 'charged' then
  redis.call('HSET', record, 'state', 'charged')
else
  redis.call('HSET', record, 'leaseUntil', '0')
end
return 1
`;

export const freeCall = (keys: RedisKeys, turn: Turn): ScriptCall => ({
  keys: [recordOf(keys, turn)],
  args: [turn.requestId, keys.hold(''), keys.settled('')],
});
