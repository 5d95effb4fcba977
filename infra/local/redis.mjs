import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { ManagedProcess } from './managed-process.mjs';
import { findRedis } from './redis-executable.mjs';
import { outputOf } from './run-command.mjs';

const DOCKER_IMAGE = 'valkey/valkey:8-alpine';
const COMMAND_TIMEOUT_MS = 5_000;

/** The first line of a reply, or a bulk string; undefined while the reply is incomplete. */
function readReply(bytes) {
  const end = bytes.indexOf('\r\n');
  if (end < 0) return undefined;
  const line = bytes.slice(0, end);
  if (!/^\$\d/.test(line)) return line;
  const text = bytes.slice(end + 2, end + 2 + Number(line.slice(1)));
  return text.length < Number(line.slice(1)) ? undefined : text;
}

/**
 * Sends one inline command to Redis and returns the first line or the bulk string of the reply. Enough for PING, GET,
 * FLUSHALL and CONFIG, without a client library.
 */
function redisCommand(url, command) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port || 6379) });
    let reply = '';
    socket.setTimeout(COMMAND_TIMEOUT_MS, () => socket.destroy(new Error(`Redis did not reply ${command}`)));
    socket.once('error', reject);
    socket.once('connect', () => socket.write(`${command}\r\n`));
    socket.once('close', () => reject(new Error(`Redis closed the connection during ${command}`)));
    socket.on('data', (chunk) => {
      reply += chunk;
      const read = readReply(reply);
      if (read === undefined) return;
      resolve(read);
      socket.destroy();
    });
  });
}

async function isReady(url) {
  try {
    return (await redisCommand(url, 'PING')) === '+PONG';
  } catch {
    return false;
  }
}

/** It stores money: nothing may be evicted, and a crash may lose only the last second. */
const settings = (folder) => [
  '--dir',
  folder,
  '--appendonly',
  'yes',
  '--appendfsync',
  'everysec',
  '--save',
  '',
  '--maxmemory-policy',
  'noeviction',
];

function launchPlan(found, port, folder, more) {
  if (!found.isDocker) {
    return {
      command: found.command,
      args: ['--port', String(port), '--bind', '127.0.0.1', ...settings(folder), ...more],
    };
  }
  const container = `gateway-redis-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`;
  const docker = ['run', '--rm', '--name', container, '-p', `127.0.0.1:${port}:6379`, '-v', `${folder}:/data`];
  return {
    command: 'docker',
    args: [...docker, DOCKER_IMAGE, 'valkey-server', ...settings('/data'), ...more],
    container,
  };
}

/**
 * Our own Redis on the given port. Options: name, port, folder (its data), logFile, record, onUnexpectedExit; `more`
 * server options.
 */
class LocalRedis {
  #process;
  #plan;

  constructor(found, { name, port, folder, logFile, record, onUnexpectedExit, more = [] }) {
    mkdirSync(folder, { recursive: true });
    this.folder = folder;
    this.url = `redis://127.0.0.1:${port}`;
    this.#plan = launchPlan(found, port, folder, more);
    const { command, args } = this.#plan;
    const abandonSignal = 'SIGTERM';
    this.#process = new ManagedProcess({
      name,
      command,
      args,
      env: process.env,
      cwd: folder,
      logFile,
      record,
      abandonSignal,
      onUnexpectedExit,
    });
  }

  get process() {
    return this.#process;
  }

  async start() {
    // A container outlives a killed launcher, unlike the client process that shows its output.
    if (this.#plan.container !== undefined) await outputOf('docker', ['rm', '-f', this.#plan.container]);
    this.#process.start();
    await this.#process.waitUntil(() => isReady(this.url));
  }

  stop() {
    return this.#process.stop();
  }

  kill() {
    return this.#process.kill();
  }

  suspend() {
    this.#process.suspend();
  }

  resume() {
    this.#process.resume();
  }

  command(text) {
    return redisCommand(this.url, text);
  }

  /** Empties it while it runs, as a failover to an empty replica would. */
  async flush() {
    await this.command('FLUSHALL');
  }

  /** Restarts it with an empty disk. */
  async restartEmpty() {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder, { recursive: true });
    await this.start();
  }
}

export async function startRedis(options, note = () => {}) {
  const found = await findRedis(note);
  const redis = new LocalRedis(found, options);
  await redis.start();
  note(found.version);
  return redis;
}
