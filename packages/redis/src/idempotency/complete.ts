import type { ScriptCall } from '../admission/script.js';
import type { RedisKeys } from '../keys.js';
import { recordOf, type Turn } from './idempotency-claim.js';

/**
 * Ends a turn with its answer, once: 1. Whoever does not own the record any more changes nothing: 0. What an account has
 * kept is counted, so that nobody can fill the memory in which everybody's money lies. Above its share the turn goes on, so
 * that the answer may be kept elsewhere: 2. An answer without a body ends it, and of the answer stays only that it was given: 3.
 */
export const KEEP_LUA = `
local record, kept_bytes = KEYS[1], KEYS[2]
local request_id, kept_ms, status, content_type, encoding, body, bytes, share_bytes = unpack(ARGV)
local owner, state = unpack(redis.call('HMGET', record, 'request', 'state'))
if owner ~= request_id or state ~= 'begun' then return 0 end
if encoding ~= '' then
  local taken = tonumber(redis.call('GET', kept_bytes) or '0')
  if taken + tonumber(bytes) > tonumber(share_bytes) then return 2 end
  redis.call('INCRBY', kept_bytes, bytes)
  if taken == 0 then redis.call('PEXPIRE', kept_bytes, kept_ms) end
  if encoding == 'apart' then
    redis.call('HSET', record, 'bytesApart', bytes)
  else
    redis.call('HSET', record, 'encoding', encoding, 'body', body)
  end
end
redis.call('HSET', record, 'state', 'answered', 'status', status, 'contentType', content_type)
redis.call('HDEL', record, 'leaseUntil')
redis.call('PEXPIRE', record, kept_ms)
return encoding == '' and 3 or 1
`;

/** A body as it is stored, or how much of it is stored elsewhere. */
export type PackedBody =
  | { readonly encoding: 'gzip' | 'identity'; readonly bytes: Buffer }
  | { readonly encoding: 'apart'; readonly bytesApart: number };

export interface PackedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: PackedBody | undefined;
}

export const KEEP_OUTCOMES = ['lost', 'kept', 'full', 'not_kept'] as const;
/**
 * `lost`: the record is not this turn's any more. `full`: nothing was done, the account has kept too much in that place.
 * `not_kept`: the record says that there was an answer, and nobody has its body.
 */
export type CompleteOutcome = (typeof KEEP_OUTCOMES)[number];

/** What one account may have kept in each place, in the time for which an answer is kept. */
export interface KeptShares {
  readonly shareBytes: number;
  readonly shareBytesApart: number;
}

export function keepCall(
  keys: RedisKeys,
  turn: Turn,
  { status, contentType, body }: PackedAnswer,
  { keptMs, shareBytes, shareBytesApart }: KeptShares & { readonly keptMs: number },
): ScriptCall {
  const isApart = body?.encoding === 'apart';
  const stored = body === undefined || isApart ? Buffer.alloc(0) : body.bytes;
  return {
    keys: [recordOf(keys, turn), keys.idempotencyBytes(turn.accountId, isApart ? 'apart' : 'here')],
    args: [
      turn.requestId,
      `${keptMs}`,
      `${status}`,
      contentType,
      body?.encoding ?? '',
      stored,
      `${isApart ? body.bytesApart : stored.length}`,
      `${isApart ? shareBytesApart : shareBytes}`,
    ],
  };
}
