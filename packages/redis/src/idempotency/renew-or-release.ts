import type { MoneyKeys } from '../keys.js';
import { jsonArgs, type ScriptCall } from '../scripts/script.js';
import { type ClaimOwner, recordKey } from './idempotency-claim.js';

export const releaseCall = (keys: MoneyKeys, owner: ClaimOwner): ScriptCall => ({
  keys: [recordKey(keys, owner)],
  args: [jsonArgs({ requestId: owner.requestId, holdPrefix: keys.hold(''), settledPrefix: keys.settled('') })],
});

export const renewCall = (keys: MoneyKeys, owner: ClaimOwner, leaseMs: number, givenMs: string): ScriptCall => ({
  keys: [recordKey(keys, owner)],
  args: [jsonArgs({ requestId: owner.requestId, leaseMs: `${leaseMs}`, givenMs })],
});
