import type { RedisConnection } from '../connection/connect-redis.js';

/**
 * The groups that one command or script may touch: a server takes all shards at once, a cluster takes one call for each
 * shard, because each has a slot of its own.
 */
export function groupByShard<Item>(
  redis: RedisConnection,
  items: readonly Item[],
  shardOfItem: (item: Item) => unknown,
): readonly (readonly Item[])[] {
  if (items.length === 0) return [];
  return redis.isCluster ? [...Map.groupBy(items, shardOfItem).values()] : [items];
}

/** Waits for all calls, so that a lost node stops no other shard. Then rejects with the first error, if there is one. */
export async function afterAll<Reply>(calls: readonly Promise<Reply>[]): Promise<readonly Reply[]> {
  const ended = await Promise.allSettled(calls);
  return ended.map((call) => {
    if (call.status === 'rejected') throw call.reason;
    return call.value;
  });
}

/** Waits for all calls, and returns the replies of those that succeeded. Rejects if none did. */
export async function whatSucceeds<Reply>(calls: readonly Promise<Reply>[]): Promise<readonly Reply[]> {
  const ended = await Promise.allSettled(calls);
  const failed = ended.find((call) => call.status === 'rejected');
  const replies = ended.flatMap((call) => (call.status === 'fulfilled' ? [call.value] : []));
  if (failed !== undefined && replies.length === 0) throw failed.reason;
  return replies;
}
