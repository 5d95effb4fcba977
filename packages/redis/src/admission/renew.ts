import type { AccountId, KeyId, RequestId } from '@gateway/contracts';
import type { RedisKeys } from '../keys.js';
import { jsonArgs, type ScriptCall } from '../scripts/script.js';

/** A lease that is renewed without an edge lasts so long. */
export const LEASE_MS = 60_000;
/** A renewed hold lasts so long, or recovery settles it: longer than any detached response. */
export const HOLD_MS = 720_000;

export interface RunningRequest {
  readonly requestId: RequestId;
  readonly accountId: AccountId;
  readonly keyId: KeyId;
}

export const renewCall = (
  keys: RedisKeys,
  running: readonly RunningRequest[],
  { leaseMs, holdMs, givenMs }: { leaseMs: number; holdMs: number; givenMs: string },
): ScriptCall => ({
  keys: running.flatMap(({ requestId, accountId, keyId }) => {
    const money = keys.of(accountId);
    return [money.openHolds, money.hold(requestId), money.leases(accountId), money.leases(keyId)];
  }),
  args: [
    jsonArgs({
      leaseMs: leaseMs.toString(),
      holdMs: holdMs.toString(),
      givenMs,
      leasePrefixes: running.map(({ accountId }) => keys.of(accountId).leases('')),
      requestIds: running.map(({ requestId }) => requestId),
    }),
  ],
});
