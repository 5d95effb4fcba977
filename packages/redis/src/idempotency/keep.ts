import type { ScriptCall } from '../admission/script.js';
import type { RedisKeys } from '../keys.js';
import { recordOf, type Turn } from './turn.js';

/**
 * Ends a turn with its answer, once: 1. Whoever does not own the record any more changes nothing: 0. What an account has
 * kept is counted, so that nobody can fill the memory in which everybody's money lies: above its share the record stays
 * without the answer's body: 2.
 */
export const KEEP_LUA = `
local record, kept_bytes = KEYS[1], KEYS[2]
local request_id, kept_ms, status, content_type, encoding, body, share_bytes = unpack(ARGV)
local owner, state = unpack(redis.call('HMGET', record, 'request', 'state'))
if owner ~= request_id or state ~= 'begun' then return 0 end
redis.call('HSET', record, 'state', 'answered', 'status', status, 'contentType', content_type)
redis.call('HDEL', record, 'leaseUntil')
redis.call('PEXPIRE', record, kept_ms)
if encoding == '' then return 2 end
local taken = tonumber(redis.call('GET', kept_bytes) or '0')
if taken + #body > tonumber(share_bytes) then return 2 end
redis.call('INCRBY', kept_bytes, #body)
if taken == 0 then redis.call('PEXPIRE', kept_bytes, kept_ms) end
redis.call('HSET', record, 'encoding', encoding, 'body', body)
return 1
`;

/** An answer as it is stored; without `body`, none is. */
export interface PackedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body?: { readonly encoding: 'gzip' | 'identity'; readonly bytes: Buffer };
}

export const KEEP_OUTCOMES = ['lost', 'kept', 'not_kept'] as const;
/** `lost`: the record is not this turn's any more. `not_kept`: the record is kept, the answer's body is not. */
export type KeepOutcome = (typeof KEEP_OUTCOMES)[number];

export function keepCall(
  keys: RedisKeys,
  turn: Turn,
  { status, contentType, body }: PackedAnswer,
  { keptMs, shareBytes }: { readonly keptMs: number; readonly shareBytes: number },
): ScriptCall {
  return {
    keys: [recordOf(keys, turn), keys.idempotencyBytes(turn.accountId)],
    args: [
      turn.requestId,
      `${keptMs}`,
      `${status}`,
      contentType,
      body?.encoding ?? '',
      body?.bytes ?? '',
      `${shareBytes}`,
    ],
  };
}
