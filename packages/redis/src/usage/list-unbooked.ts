import { usageSettled } from '@gateway/contracts';
import type { RedisConnection } from '../connection/connect-redis.js';
import { type RedisKeys, redisKeys } from '../keys.js';
import { whatSucceeds } from '../shards/by-shard.js';

/** A settlement in Redis that the ledger has not booked yet. Null: the entry is no usage event. */
export interface UnbookedUsage {
  readonly streamId: string;
  readonly settledAt: Date;
  readonly requestId: string | null;
  readonly accountId: string | null;
  readonly model: string | null;
  readonly costNanoUsd: bigint | null;
}

const about = usageSettled.pick({ requestId: true, accountId: true, model: true, costNanoUsd: true });

function eventOf(fields: readonly string[]) {
  try {
    return about.safeParse(JSON.parse(fields[fields.indexOf('event') + 1] ?? '')).data;
  } catch {
    // Billing moves such an entry to the dead stream and raises an alert.
    return undefined;
  }
}

/** The oldest entries of the usage streams, without reading them as a consumer. A cluster's node that is away is left out. */
export async function listUnbooked(
  redis: RedisConnection,
  limit: number,
  keys: RedisKeys = redisKeys(),
): Promise<readonly UnbookedUsage[]> {
  const reads = keys.shards.map(({ usage }) => redis.xrange(usage, '-', '+', 'COUNT', limit));
  const entries = (await whatSucceeds(reads)).flat().map(([streamId, fields]) => {
    const event = eventOf(fields);
    return {
      streamId,
      // The id of an entry begins with Redis' time in milliseconds.
      settledAt: new Date(Number(streamId.split('-')[0])),
      requestId: event?.requestId ?? null,
      accountId: event?.accountId ?? null,
      model: event?.model ?? null,
      costNanoUsd: event === undefined ? null : BigInt(event.costNanoUsd),
    };
  });
  return entries.sort((one, other) => Number(one.settledAt) - Number(other.settledAt)).slice(0, limit);
}
