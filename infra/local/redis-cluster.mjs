import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeRandomPort } from './ports.mjs';
import { startRedis } from './redis.mjs';
import { RunRecord } from './run-record.mjs';

const SLOTS = 16_384;
/** The time after which a silent node fails over to its replica. */
const NODE_TIMEOUT_MS = 1_000;
const PATIENCE_MS = 30_000;

async function until(check, what) {
  const untilMs = Date.now() + PATIENCE_MS;
  while (!(await check())) {
    if (Date.now() > untilMs) throw new Error(`the cluster does not become ${what}`);
    await sleep(25);
  }
}

const portOf = (node) => new URL(node.url).port;

/** Several Redis nodes that share the slots. A command goes to the node with its key. */
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

  /** The node that has a key now. */
  async ownerOf(key) {
    const [node] = await this.#send(`EXISTS ${key}`);
    return node;
  }

  /** True once every running node sees all slots served. */
  async untilServed() {
    const states = () =>
      Promise.all(
        this.nodes.map((node) => (node.process.isRunning ? node.command('CLUSTER INFO') : 'cluster_state:ok')),
      );
    await until(async () => (await states()).every((state) => state.includes('cluster_state:ok')), 'all slots served');
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
    throw new Error('no node of the cluster runs');
  }
}

async function startNode({ name, folder, record, onUnexpectedExit }) {
  const port = await takeRandomPort();
  const busPort = await takeRandomPort();
  const cluster = ['--cluster-enabled', 'yes', '--cluster-port', String(busPort)];
  const more = [
    ...cluster,
    '--cluster-node-timeout',
    String(NODE_TIMEOUT_MS),
    '--cluster-replica-validity-factor',
    '0',
  ];
  const logFile = join(folder, `${name}.log`);
  const node = await startRedis({ name, port, folder: join(folder, name), logFile, record, onUnexpectedExit, more });
  return { node, busPort };
}

/** Forms the cluster: distributes the slots over the masters and attaches each replica, the last master's first. */
async function formCluster({ masters, replicas }) {
  const all = [...masters, ...replicas];
  const [{ node: first }] = all;
  for (const [at, { node }] of masters.entries()) {
    const from = Math.floor((at * SLOTS) / masters.length);
    const to = Math.floor(((at + 1) * SLOTS) / masters.length) - 1;
    await node.command(`CLUSTER ADDSLOTSRANGE ${from} ${to}`);
  }
  for (const { node, busPort } of all.slice(1))
    await first.command(`CLUSTER MEET 127.0.0.1 ${portOf(node)} ${busPort}`);
  const known = `cluster_known_nodes:${all.length}\r`;
  const infos = () => Promise.all(all.map(({ node }) => node.command('CLUSTER INFO')));
  await until(async () => (await infos()).every((info) => info.includes(known)), 'all know all');
  for (const [at, { node }] of replicas.entries()) {
    const master = await masters.at(-1 - at).node.command('CLUSTER MYID');
    await until(async () => (await node.command(`CLUSTER REPLICATE ${master}`)) === '+OK', 'a replica');
    const isFollowing = async () => (await node.command('INFO replication')).includes('master_link_status:up');
    await until(isFollowing, 'a replica that follows');
  }
}

/**
 * Starts a cluster of `masters` nodes, of which the last `replicas` have a replica each: the money is on the last of
 * three. Options: masters (3), replicas (0), folder (its own, removed at the end), record, onUnexpectedExit.
 */
export async function startRedisCluster({ masters: count = 3, replicas: followers = 0, ...options } = {}) {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'gateway-cluster-'));
  const record = options.record ?? new RunRecord(process.env.GATEWAY_RUN_RECORD ?? join(folder, 'run'));
  const { onUnexpectedExit = () => {} } = options;
  const start = (name) => startNode({ name, folder, record, onUnexpectedExit });
  const masters = await Promise.all(Array.from({ length: count }, (_, at) => start(`master-${at + 1}`)));
  const replicas = await Promise.all(Array.from({ length: followers }, (_, at) => start(`replica-${at + 1}`)));
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
