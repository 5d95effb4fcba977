import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reserveRandomPort } from './ports.mjs';
import { startRedis } from './redis.mjs';
import { RunRecord } from './run-record.mjs';

const SLOTS = 16_384;
/** After this silence the cluster promotes the node's replica. */
const NODE_TIMEOUT_MS = 1_000;
const TIMEOUT_MS = 30_000;
const ALL_SLOTS_SERVED = `cluster_slots_ok:${SLOTS}`;

async function waitUntil(check, condition) {
  const deadlineMs = Date.now() + TIMEOUT_MS;
  while (!(await check())) {
    if (Date.now() > deadlineMs)
      throw new Error(`the Redis cluster did not reach this state within ${TIMEOUT_MS / 1000} s: ${condition}`);
    await sleep(25);
  }
}

const portOf = (node) => new URL(node.url).port;

/** Several Redis nodes that share the slots. A command goes to the node that owns its key. */
class LocalRedisCluster {
  constructor(masters, replicas, folder) {
    this.masters = masters;
    this.replicas = replicas;
    this.folder = folder;
  }

  get nodes() {
    return [...this.masters, ...this.replicas];
  }

  get url() {
    return `redis+cluster://${this.nodes.map((node) => `127.0.0.1:${portOf(node)}`).join(',')}`;
  }

  async command(text) {
    const [, reply] = await this.#send(text);
    return reply;
  }

  /** Returns the current node of a key. */
  async ownerOf(key) {
    const [node] = await this.#send(`EXISTS ${key}`);
    return node;
  }

  /** Waits until every running node reports all slots as served. */
  async untilServed() {
    const states = () =>
      Promise.all(this.nodes.map((node) => (node.process.isRunning ? node.command('CLUSTER INFO') : ALL_SLOTS_SERVED)));
    await waitUntil(
      async () => (await states()).every((state) => state.includes(ALL_SLOTS_SERVED)),
      'all slots are served',
    );
  }

  async stop() {
    await Promise.all(this.nodes.map((node) => node.stop()));
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #send(text) {
    for (const node of this.nodes.filter(({ process }) => process.isRunning)) {
      const reply = await node.command(text);
      if (!reply.startsWith('-MOVED')) return [node, reply];
      const owner = this.nodes.find((other) => portOf(other) === /:(\d+)$/.exec(reply)[1]);
      return [owner, await owner.command(text)];
    }
    throw new Error('no node of the Redis cluster is running');
  }
}

async function startNode({ name, folder, record, onUnexpectedExit }) {
  const port = await reserveRandomPort();
  const busPort = await reserveRandomPort();
  const cluster = ['--cluster-enabled', 'yes', '--cluster-port', String(busPort)];
  const serverArgs = [
    ...cluster,
    '--cluster-node-timeout',
    String(NODE_TIMEOUT_MS),
    '--cluster-replica-validity-factor',
    '0',
    // A lost node stops its own slots only.
    '--cluster-require-full-coverage',
    'no',
  ];
  const logFile = join(folder, `${name}.log`);
  const node = await startRedis({
    name,
    port,
    folder: join(folder, name),
    logFile,
    record,
    onUnexpectedExit,
    isThrowaway: true,
    serverArgs,
  });
  return { node, busPort };
}

/** Assigns the slots to the masters and each replica to a master, starting with the last master. */
async function formCluster({ masters, replicas }) {
  const all = [...masters, ...replicas];
  const [{ node: first }] = all;
  for (const [index, { node }] of masters.entries()) {
    const from = Math.floor((index * SLOTS) / masters.length);
    const to = Math.floor(((index + 1) * SLOTS) / masters.length) - 1;
    await node.command(`CLUSTER ADDSLOTSRANGE ${from} ${to}`);
  }
  for (const { node, busPort } of all.slice(1))
    await first.command(`CLUSTER MEET 127.0.0.1 ${portOf(node)} ${busPort}`);
  const known = `cluster_known_nodes:${all.length}\r`;
  const infos = () => Promise.all(all.map(({ node }) => node.command('CLUSTER INFO')));
  await waitUntil(
    async () => (await infos()).every((info) => info.includes(known)),
    'every node knows every other node',
  );
  for (const [index, { node }] of replicas.entries()) {
    const master = await masters.at(-1 - index).node.command('CLUSTER MYID');
    await waitUntil(
      async () => (await node.command(`CLUSTER REPLICATE ${master}`)) === '+OK',
      'a replica has its master',
    );
    const isFollowing = async () => (await node.command('INFO replication')).includes('master_link_status:up');
    await waitUntil(isFollowing, 'a replica is in sync');
  }
}

/**
 * Starts a cluster. The last `replicas` masters have one replica each; each owns its share of the balances.
 * Options: masters (3), replicas (0), folder (removed by `stop()`), record, onUnexpectedExit.
 */
export async function startRedisCluster({ masters: count = 3, replicas: followers = 0, ...options } = {}) {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'gateway-cluster-'));
  const record = options.record ?? new RunRecord(process.env.GATEWAY_RUN_RECORD ?? join(folder, 'run'));
  const { onUnexpectedExit = () => {} } = options;
  const start = (name) => startNode({ name, folder, record, onUnexpectedExit });
  const masters = await Promise.all(Array.from({ length: count }, (_, index) => start(`master-${index + 1}`)));
  const replicas = await Promise.all(Array.from({ length: followers }, (_, index) => start(`replica-${index + 1}`)));
  const nodesOf = (started) => started.map(({ node }) => node);
  const cluster = new LocalRedisCluster(nodesOf(masters), nodesOf(replicas), folder);
  try {
    await formCluster({ masters, replicas });
    await cluster.untilServed();
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
