import type { RedisConnection } from '../connection/connect-redis.js';
import type { MoneyKeys } from '../keys.js';

/** One write for them: a billing that rests scans all shards every few seconds. */
const SHARDS_AT_ONCE = 16;

export interface PageOfAccounts {
  readonly accountIds: readonly string[];
  /** The cursor of the next page; null after the last. */
  readonly next: string | null;
}

/** The shards from `first` to the end of their group, each from its beginning: `<shard>:<position>,…`. */
function groupFrom(first: number, shardCount: number): string | null {
  const length = Math.min(first + SHARDS_AT_ONCE, shardCount) - first;
  if (length <= 0) return null;
  return Array.from({ length }, (_, index) => `${first + index}:0`).join(',');
}

/**
 * About `count` accounts of the shards after `cursor`, or of the first shards for null. A page reads the shards of a group
 * together, and its cursor names those that have more. A cluster's node that is away is left out. Throws RangeError for a
 * cursor of no shard.
 */
export async function pageOfAccounts(
  redis: RedisConnection,
  shards: readonly MoneyKeys[],
  cursor: string | null,
  count: number,
): Promise<PageOfAccounts> {
  const open = (cursor ?? groupFrom(0, shards.length) ?? '').split(',').map((text) => {
    const [number = '', position = '0'] = text.split(':');
    const shard = number === '' ? undefined : shards[Number(number)];
    if (shard === undefined) throw new RangeError(`no page of accounts begins at ${cursor}`);
    return { shard, number, position };
  });
  const each = Math.ceil(count / open.length);
  const pages = await Promise.all(
    open.map(async ({ shard, number, position }) => {
      const [next, accountIds] = await scan(redis, shard.accounts, position, each);
      return { accountIds, number, next };
    }),
  );
  const more = pages.filter(({ next }) => next !== '0').map(({ number, next }) => `${number}:${next}`);
  const group = Math.floor(Number(open.at(-1)?.number) / SHARDS_AT_ONCE) + 1;
  return {
    accountIds: pages.flatMap(({ accountIds }) => accountIds),
    next: more.length > 0 ? more.join(',') : groupFrom(group * SHARDS_AT_ONCE, shards.length),
  };
}

async function scan(redis: RedisConnection, key: string, position: string, count: number): Promise<[string, string[]]> {
  try {
    return await redis.sscan(key, position, 'COUNT', count);
  } catch (error) {
    if (!redis.isCluster) throw error;
    return ['0', []];
  }
}
