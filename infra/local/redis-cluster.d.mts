import type { LocalRedis } from './stack.mjs';

/** Several Redis nodes that share the slots, with append-only files. */
export interface LocalRedisCluster {
  /** Lists all nodes: `redis+cluster://…`. */
  readonly url: string;
  readonly masters: readonly LocalRedis[];
  /** The first replicates the last master, the second the one before it. */
  readonly replicas: readonly LocalRedis[];
  readonly nodes: readonly LocalRedis[];
  /** Sends one inline command to the node that owns its key, and returns the reply. */
  command(text: string): Promise<string>;
  /** Returns the current node of a key. */
  ownerOf(key: string): Promise<LocalRedis>;
  /** Waits until every running node reports all slots as served. */
  untilServed(): Promise<void>;
  stop(): Promise<void>;
}

export function startRedisCluster(options?: {
  /** Default: 3. */
  readonly masters?: number;
  /** The last masters have one each. Default: 0. The third of three masters owns the balances. */
  readonly replicas?: number;
}): Promise<LocalRedisCluster>;
