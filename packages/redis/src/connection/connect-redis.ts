import { type Cluster, Redis } from 'ioredis';
import { connectCluster } from './connect-cluster.js';
import { corkWrites } from './cork-writes.js';
import { readRedisAddress } from './redis-address.js';
import { type RedisRole, serverOptions } from './socket-options.js';

/** A connection to one server or to a cluster; callers send the same commands to both. */
export type RedisConnection = Redis | Cluster;

/** Connects in the background and reconnects until closed. `onError` receives every connection error. */
export function connectRedis(url: string, role: RedisRole, onError: (error: Error) => void): RedisConnection {
  const address = readRedisAddress(url);
  if (address.kind === 'cluster') return connectCluster(address, role, onError);
  const redis = new Redis(address.url, serverOptions(role));
  redis.on('error', onError);
  return role === 'blocking' ? redis : corkWrites(redis);
}
