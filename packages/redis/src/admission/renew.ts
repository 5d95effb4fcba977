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
  { leaseUntilMs, holdExpiresAtMs, givenMs }: { leaseUntilMs: number; holdExpiresAtMs: number; givenMs: string },
): ScriptCall => ({
  keys: running.flatMap(({ requestId, accountId, keyId }) => {
    const money = keys.of(accountId);
    return [money.openHolds, money.hold(requestId), money.leases(accountId), money.leases(keyId)];
  }),
  args: [
    jsonArgs({
      leaseUntilMs: leaseUntilMs.toString(),
      holdExpiresAtMs: holdExpiresAtMs.toString(),
      givenMs,
      leasePrefixes: running.map(({ accountId }) => keys.of(accountId).leases('')),
      requestIds: running.map(({ requestId }) => requestId),
    }),
  ],
});
