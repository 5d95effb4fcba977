import { Cluster, type ClusterOptions } from 'ioredis';
import { corkWrites } from './cork-writes.js';
import type { RedisAddress } from './redis-address.js';
import { type RedisRole, retryDelayMs, SOCKET_OPTIONS } from './socket-options.js';
import { NEVER_SENT } from './was-never-sent.js';

type ClusterAddress = Extract<RedisAddress, { kind: 'cluster' }>;

/** How often every connection asks which node has which slots, besides being told so when it asks the wrong one. */
const SLOTS_EVERY_MS = 5_000;

const common = {
  clusterRetryStrategy: retryDelayMs,
  slotsRefreshInterval: SLOTS_EVERY_MS,
  // Names are left to the socket, which checks certificates against them and tries every address of one.
  dnsLookup: (name, found) => found(null, name),
} satisfies ClusterOptions;

const waiting = {
  ...common,
  // Sent again until the node is back or another one has its slots: about a minute, and then whoever waits asks again.
  maxRedirections: 600,
  retryDelayOnMoved: 10,
  // Looking at the whole cluster first, `connect()` never ends where a part of it is away, and BullMQ waits for that.
  enableReadyCheck: false,
} satisfies ClusterOptions;

const ROLES = {
  // What was under way when its node was lost has an unknown outcome, which the caller is told; it is not sent again behind his back.
  commands: { ...common, retryDelayOnFailover: 0, retryDelayOnClusterDown: 0 },
  worker: waiting,
  blocking: waiting,
} satisfies Record<RedisRole, ClusterOptions>;

/** Refuses at once while the cluster is away, where the library fails late or keeps commands; a node that is being connected is waited for. */
class PromptCluster extends Cluster {
  override sendCommand(...args: Parameters<Cluster['sendCommand']>): unknown {
    const [command] = args;
    // The library asks for the cluster's state before it says that it is ready.
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
  const cluster = role === 'commands' ? new PromptCluster([...nodes], options) : new Cluster([...nodes], options);
  cluster.on('error', onError);
  cluster.on('node error', onError);
  if (role !== 'blocking') cluster.on('+node', corkWrites);
  return cluster;
}
