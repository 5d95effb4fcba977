import type { RequestId } from '@gateway/contracts';
import { BALANCE_LUA, readBalance } from '../admission/balance.js';
import { CLOCK_LUA, type ScriptCall } from '../admission/script.js';
import type { RedisKeys } from '../keys.js';
import type { PackedBody } from './complete.js';
import { type NewIdempotencyClaim, recordOf } from './idempotency-claim.js';
import { JUDGE_LUA } from './judge.js';

/**
 * Takes the record for this request, or says what stands in its way. A record whose lease is over is judged by what its
 * request was charged: nothing, and it is anybody's; something, and it stays as it is, without an answer. Whoever is not given
 * it is told what is left in its place.
 */
export const BEGIN_LUA = `${CLOCK_LUA}${JUDGE_LUA}${BALANCE_LUA}
local record, account = unpack(KEYS)
local request_id, fingerprint, lease_ms, kept_ms, hold_prefix, settled_prefix, given_ms = unpack(ARGV)
local now_ms = math.floor(now_us(given_ms) / 1000)
local former, asked, lease_until, state = unpack(redis.call('HMGET', record, 'request', 'fingerprint', 'leaseUntil', 'state'))

if former and state == 'begun' and tonumber(lease_until) <= now_ms then
  local verdict = judge(former, hold_prefix, settled_prefix)
  if verdict == 'free' then former = false end
  if verdict == 'charged' then
    state = 'charged'
    redis.call('HSET', record, 'state', state)
    redis.call('PEXPIRE', record, kept_ms)
  end
end
if not former then
  redis.call('DEL', record)
  redis.call('HSET', record, 'request', request_id, 'fingerprint', fingerprint, 'state', 'begun', 'leaseUntil', now_ms + tonumber(lease_ms))
  redis.call('PEXPIRE', record, kept_ms)
  return {'began'}
end
local left = balance(account)
if asked ~= fingerprint then return {'conflict', left} end
if state == 'begun' then return {'in_progress', left} end
if state == 'charged' then return {'charged', left, former} end
local status, content_type, encoding, body, bytes_apart =
  unpack(redis.call('HMGET', record, 'status', 'contentType', 'encoding', 'body', 'bytesApart'))
if bytes_apart then encoding, body = 'apart', bytes_apart end
if not body then return {'not_kept', left, former} end
return {'answered', left, former, status, content_type, encoding, body}
`;

interface NotBegun {
  /** What the account has left; null if Redis does not know all of it. */
  readonly balanceNanoUsd: bigint | null;
}

/** The answer of an earlier request, its body as it was stored; of one that is stored elsewhere, its length in digits. */
export interface StoredAnswer extends NotBegun {
  readonly outcome: 'answered';
  readonly requestId: RequestId;
  readonly status: number;
  readonly contentType: string;
  readonly encoding: PackedBody['encoding'];
  readonly body: Buffer;
}

export type BeginReply =
  /** This request owns the record until it keeps an answer, frees it, or its lease ends. */
  | { readonly outcome: 'began' }
  /** The key was used for something else, or its request is still being answered. */
  | (NotBegun & { readonly outcome: 'conflict' | 'in_progress' })
  /** An earlier request was charged and its answer was not whole; or it was answered, and nobody has kept the answer. */
  | (NotBegun & { readonly outcome: 'charged' | 'not_kept'; readonly requestId: RequestId })
  | StoredAnswer;

export interface BeginTimes {
  readonly leaseMs: number;
  readonly keptMs: number;
  readonly nowMs: string;
}

export const beginCall = (
  keys: RedisKeys,
  turn: NewIdempotencyClaim,
  { leaseMs, keptMs, nowMs }: BeginTimes,
): ScriptCall => ({
  keys: [recordOf(keys, turn), keys.account(turn.accountId)],
  args: [turn.requestId, turn.fingerprint, `${leaseMs}`, `${keptMs}`, keys.hold(''), keys.settled(''), nowMs],
});

/** Of the script's reply, as bytes. */
export function readBeginReply(reply: unknown): BeginReply {
  const [outcome, left, requestId, status, contentType, encoding, body] = reply as readonly Buffer[];
  return {
    outcome: String(outcome),
    ...(left !== undefined && { balanceNanoUsd: readBalance(String(left)) }),
    ...(requestId !== undefined && { requestId: String(requestId) }),
    ...(body !== undefined && {
      status: Number(status),
      contentType: String(contentType),
      encoding: String(encoding),
      body,
    }),
  } as BeginReply;
}
