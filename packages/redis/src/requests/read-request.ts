import { type HoldRecord, readHold } from '../admission/hold-record.js';
import type { RedisConnection } from '../connection/connect-redis.js';
import type { RedisKeys } from '../keys.js';

export type RequestStatus =
  | { readonly state: 'running'; readonly hold: HoldRecord }
  /** It has ended within the last half an hour: what it cost is in the ledger, or on its way there. */
  | { readonly state: 'settled' }
  /** It was never admitted, or ended long ago. */
  | { readonly state: 'unknown' };

/** How far a request is, as admission knows it. The hold is read first: what ends in between is settled then. */
export async function readRequest(redis: RedisConnection, keys: RedisKeys, requestId: string): Promise<RequestStatus> {
  const hold = readHold(requestId, await redis.hgetall(keys.hold(requestId)));
  if (hold !== undefined) return { state: 'running', hold };
  return { state: (await redis.exists(keys.settled(requestId))) === 1 ? 'settled' : 'unknown' };
}
