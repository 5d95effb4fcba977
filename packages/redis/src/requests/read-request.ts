import { type HoldRecord, readHold } from '../admission/hold-record.js';
import type { RedisConnection } from '../connection/connect-redis.js';
import type { RedisKeys } from '../keys.js';

export type RequestStatus =
  | { readonly state: 'running'; readonly hold: HoldRecord }
  /** It ended within the last 30 minutes: the ledger has its cost or will get it. */
  | { readonly state: 'settled' }
  /** It was never admitted, or ended long ago. */
  | { readonly state: 'unknown' };

/** A request's state in admission, as far as the account has it. The hold is read first, so a request that ends meanwhile reads as settled. */
export async function readRequest(
  redis: RedisConnection,
  keys: RedisKeys,
  { accountId, requestId }: { readonly accountId: string; readonly requestId: string },
): Promise<RequestStatus> {
  const money = keys.of(accountId);
  const hold = readHold(requestId, await redis.hgetall(money.hold(requestId)));
  if (hold !== undefined) return { state: 'running', hold };
  return { state: (await redis.exists(money.settled(requestId))) === 1 ? 'settled' : 'unknown' };
}
