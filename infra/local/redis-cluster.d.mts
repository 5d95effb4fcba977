import type { LocalRedis } from './stack.mjs';

/** Several Redis that share the slots, with append-only files. */
export interface LocalRedisCluster {
  /** Names all nodes: `redis+cluster://…`. */
  readonly url: string;
  readonly masters: readonly LocalRedis[];
  /** The first replicates the last master, and so on. */
  readonly replicas: readonly LocalRedis[];
  readonly nodes: readonly LocalRedis[];
  /** Sends one inline command to the node with its key. */
  command(text: string): Promise<string>;
  /** The node that has a key now. */
  ownerOf(key: string): Promise<LocalRedis>;
  /** Waits until every node that runs sees all slots served. */
  untilServed(): Promise<void>;
  stop(): Promise<void>;
}

export function startRedisCluster(options?: {
  /** Three if not said. */
  readonly masters?: number;
  /** Of the last masters, one each; none if not said. The money is at the last of three. */
  readonly replicas?: number;
}): Promise<LocalRedisCluster>;
