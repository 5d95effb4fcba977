import { Redis } from 'ioredis';
import type { RedisConnection } from './connect-redis.js';

/** How full a Redis is, and what it does when it is. */
export interface RedisMemory {
  /** Of a cluster that of its fullest node: one that is full refuses for itself. */
  readonly usedShare: number;
  /** It makes room by forgetting keys of ours, money among them, where it should refuse. */
  readonly mayEvict: boolean;
}

const field = (info: string, name: string): string => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';

function memoryOf(info: string): RedisMemory {
  // Without a limit of its own it has the machine's memory.
  const limitBytes = Number(field(info, 'maxmemory')) || Number(field(info, 'total_system_memory'));
  const policy = field(info, 'maxmemory_policy');
  return { usedShare: Number(field(info, 'used_memory')) / limitBytes, mayEvict: policy !== 'noeviction' };
}

/** Asks a server, or each master of a cluster. */
export async function readMemory(redis: RedisConnection): Promise<RedisMemory> {
  const nodes = redis instanceof Redis ? [redis] : redis.nodes('master');
  const memories = await Promise.all(nodes.map(async (node) => memoryOf(await node.info('memory'))));
  return {
    usedShare: Math.max(...memories.map(({ usedShare }) => usedShare)),
    mayEvict: memories.some(({ mayEvict }) => mayEvict),
  };
}
