/** Fixed: it decides in which slot of Redis an account's money is. SQL has the same number and the same hash in `shard_of`. */
export const SHARD_COUNT = 64;

/** All shards, by number. */
export const SHARDS: readonly number[] = Array.from({ length: SHARD_COUNT }, (_, shard) => shard);

/** Stands for the one slot in which former releases kept all money. */
export const FORMER_SHARD = -1;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The shard of an account's money: the folded FNV-1a hash of its id, which is ASCII. */
export function shardOf(accountId: string): number {
  let hash = FNV_OFFSET;
  for (let index = 0; index < accountId.length; index += 1) {
    hash = Math.imul(hash ^ accountId.charCodeAt(index), FNV_PRIME);
  }
  return (hash ^ (hash >>> 16)) & (SHARD_COUNT - 1);
}
