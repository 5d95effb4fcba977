import { Redis } from 'ioredis';
import type { RedisConnection } from './connect-redis.js';
import { infoField } from './info-field.js';

/** How full a Redis is, and what it does when full. */
export interface RedisMemory {
  /** 0 to 1. For a cluster, that of its fullest node, which refuses writes first. */
  readonly usedShare: number;
  /** When full, it would evict keys, including money, instead of refusing writes. */
  readonly mayEvict: boolean;
}

function memoryOf(info: string): RedisMemory {
  // Without `maxmemory`, the machine's memory is the limit.
  const limitBytes = Number(infoField(info, 'maxmemory')) || Number(infoField(info, 'total_system_memory'));
  const policy = infoField(info, 'maxmemory_policy');
  return { usedShare: Number(infoField(info, 'used_memory')) / limitBytes, mayEvict: policy !== 'noeviction' };
}

/** Reads INFO of a server, or of each master of a cluster. */
export async function readMemory(redis: RedisConnection): Promise<RedisMemory> {
  const nodes = redis instanceof Redis ? [redis] : redis.nodes('master');
  const memories = await Promise.all(nodes.map(async (node) => memoryOf(await node.info('memory'))));
  return {
    usedShare: Math.max(...memories.map(({ usedShare }) => usedShare)),
    mayEvict: memories.some(({ mayEvict }) => mayEvict),
  };
}
