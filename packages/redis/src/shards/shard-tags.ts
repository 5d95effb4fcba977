/*
 * A number for each shard that makes its hash tag, `<shard>.<number>`, fall into the shard's 64th of the 16,384 slots. So
 * nodes with equal ranges of slots have equally many shards, however many nodes there are.
 */
// biome-ignore format: one line for 16 shards
const NUMBERS = [
  178, 2, 303, 63, 40, 69, 11, 38, 53, 8, 59, 3, 31, 18, 132, 303,
  12, 139, 10, 8, 322, 73, 159, 22, 78, 51, 29, 100, 12, 171, 58, 71,
  149, 63, 79, 50, 11, 8, 13, 121, 51, 78, 152, 29, 0, 23, 343, 72,
  18, 31, 52, 313, 139, 13, 333, 20, 18, 31, 140, 33, 50, 79, 100, 28,
];

/** The hash tag of each shard. */
export const SHARD_TAGS: readonly string[] = NUMBERS.map((number, shard) => `${shard}.${number}`);

/** The hash tag of all money in releases without shards. */
export const FORMER_TAG = '0';
