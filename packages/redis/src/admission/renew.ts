import type { AccountId, KeyId, RequestId } from '@gateway/contracts';
import type { RedisKeys } from '../keys.js';
import { CLOCK_LUA, EVEN_WHEN_FULL, type ScriptCall } from './script.js';

export interface RunningRequest {
  readonly requestId: RequestId;
  readonly accountId: AccountId;
  readonly keyId: KeyId;
}

/** Moves leases and holds of running requests later, never earlier, and never makes one that has ended live again. */
export const RENEW_LUA = `${EVEN_WHEN_FULL}${CLOCK_LUA}
local lease_until, hold_expires_at = ARGV[1], ARGV[2]
local lease_ms = tonumber(lease_until) - math.floor(now_us(ARGV[3]) / 1000)
local ended = {}
for index = 4, #ARGV do
  local request_id = ARGV[index]
  local hold, leases = KEYS[2 * (index - 4) + 2], KEYS[2 * (index - 4) + 3]
  local expires_at, leased = unpack(redis.call('HMGET', hold, 'expiresAt', 'leased'))
  if not expires_at then
    table.insert(ended, request_id)
  else
    if tonumber(expires_at) < tonumber(hold_expires_at) then
      redis.call('HSET', hold, 'expiresAt', hold_expires_at)
      redis.call('ZADD', KEYS[1], hold_expires_at, request_id)
    end
    if leased == '1' and lease_ms > 0 then
      redis.call('ZADD', leases, 'GT', lease_until, request_id)
      if redis.call('PTTL', leases) < lease_ms then redis.call('PEXPIRE', leases, lease_ms) end
    end
  end
end
return ended
`;

export function renewCall(
  keys: RedisKeys,
  running: readonly RunningRequest[],
  leaseUntilMs: number,
  holdExpiresAtMs: number,
  nowMs: string,
): ScriptCall {
  return {
    keys: [keys.openHolds, ...running.flatMap((one) => [keys.hold(one.requestId), keys.leases(one.keyId)])],
    args: [leaseUntilMs.toString(), holdExpiresAtMs.toString(), nowMs, ...running.map((one): string => one.requestId)],
  };
}
