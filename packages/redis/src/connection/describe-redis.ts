import { Redis } from 'ioredis';
import type { RedisConnection } from './connect-redis.js';
import { infoField } from './info-field.js';

/** What an operator must know of a Redis. Of a cluster: its first master, with the number of masters. */
export interface RedisDescription {
  readonly version: string;
  readonly startedAt: Date;
  readonly masters: number;
  readonly usedBytes: number;
  /** Null: the memory of the machine is the limit. */
  readonly limitBytes: number | null;
  readonly evictionPolicy: string;
  readonly latencyMs: number;
}

/** Reads INFO. Rejects if Redis does not answer. */
export async function describeRedis(redis: RedisConnection): Promise<RedisDescription> {
  const masters = redis instanceof Redis ? [redis] : redis.nodes('master');
  const [first] = masters;
  if (first === undefined) throw new Error('the cluster of Redis has no master');
  const askedAt = performance.now();
  const info = await first.info();
  return {
    version: infoField(info, 'redis_version'),
    startedAt: new Date(Date.now() - Number(infoField(info, 'uptime_in_seconds')) * 1_000),
    masters: masters.length,
    usedBytes: Number(infoField(info, 'used_memory')),
    limitBytes: Number(infoField(info, 'maxmemory')) || null,
    evictionPolicy: infoField(info, 'maxmemory_policy'),
    latencyMs: performance.now() - askedAt,
  };
}
