import { Cluster, type ClusterOptions } from 'ioredis';
import { corkWrites } from './cork-writes.js';
import type { RedisAddress } from './redis-address.js';
import { type RedisRole, retryDelayMs, SOCKET_OPTIONS } from './socket-options.js';
import { NEVER_SENT } from './was-never-sent.js';

type ClusterAddress = Extract<RedisAddress, { kind: 'cluster' }>;

/** How often a connection refreshes the slot map, besides each MOVED reply. */
const SLOTS_REFRESH_MS = 5_000;

const common = {
  clusterRetryStrategy: retryDelayMs,
  slotsRefreshInterval: SLOTS_REFRESH_MS,
  // The socket resolves names itself: it checks certificates against them and tries all their addresses.
  dnsLookup: (name, found) => found(null, name),
} satisfies ClusterOptions;

const waiting = {
  ...common,
  // Retries for about a minute until the node is back or another one has its slots. Then the caller retries.
  maxRedirections: 600,
  retryDelayOnMoved: 10,
  // With the check, `connect()` never resolves while a part of the cluster is away, and BullMQ awaits it.
  enableReadyCheck: false,
} satisfies ClusterOptions;

const ROLES = {
  // A command under way when its node is lost has an unknown outcome: it rejects, and only the caller may retry it.
  commands: { ...common, retryDelayOnFailover: 0, retryDelayOnClusterDown: 0 },
  worker: waiting,
  blocking: waiting,
} satisfies Record<RedisRole, ClusterOptions>;

/** Rejects commands at once while the cluster is away; the library rejects late or queues them. A connecting node is awaited. */
class FailFastCluster extends Cluster {
  override sendCommand(...args: Parameters<Cluster['sendCommand']>): unknown {
    const [command] = args;
    // The library sends CLUSTER commands before its status is `ready`.
    if (this.status === 'ready' || command.name === 'cluster') return super.sendCommand(...args);
    command.reject(new Error(`${NEVER_SENT} because the cluster is away`));
    return command.promise;
  }
}

export function connectCluster(
  { nodes, credentials, isEncrypted }: ClusterAddress,
  role: RedisRole,
  onError: (error: Error) => void,
): Cluster {
  const options = {
    ...ROLES[role],
    redisOptions: { ...SOCKET_OPTIONS[role], ...credentials, ...(isEncrypted && { tls: {} }) },
  };
  const cluster = role === 'commands' ? new FailFastCluster([...nodes], options) : new Cluster([...nodes], options);
  cluster.on('error', onError);
  cluster.on('node error', onError);
  if (role !== 'blocking') cluster.on('+node', corkWrites);
  return cluster;
}
