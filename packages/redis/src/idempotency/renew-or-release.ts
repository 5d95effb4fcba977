import type { RedisKeys } from '../keys.js';
import { jsonArgs, type ScriptCall } from '../scripts/script.js';
import { type ClaimOwner, recordKey } from './idempotency-claim.js';

export const releaseCall = (keys: RedisKeys, owner: ClaimOwner): ScriptCall => ({
  keys: [recordKey(keys, owner)],
  args: [jsonArgs({ requestId: owner.requestId, holdPrefix: keys.hold(''), settledPrefix: keys.settled('') })],
});

export const renewCall = (keys: RedisKeys, owner: ClaimOwner, leaseMs: number, givenMs: string): ScriptCall => ({
  keys: [recordKey(keys, owner)],
  args: [jsonArgs({ requestId: owner.requestId, leaseMs: `${leaseMs}`, givenMs })],
});
