import type { RedisKeys } from '../keys.js';
import { jsonArgs, type ScriptCall } from '../scripts/script.js';
import { type IdempotencyClaim, recordKey } from './idempotency-claim.js';

export const releaseCall = (keys: RedisKeys, claim: IdempotencyClaim): ScriptCall => ({
  keys: [recordKey(keys, claim)],
  args: [jsonArgs({ requestId: claim.requestId, holdPrefix: keys.hold(''), settledPrefix: keys.settled('') })],
});

export const renewCall = (keys: RedisKeys, claim: IdempotencyClaim, leaseMs: number, givenMs: string): ScriptCall => ({
  keys: [recordKey(keys, claim)],
  args: [jsonArgs({ requestId: claim.requestId, leaseMs: `${leaseMs}`, givenMs })],
});
