import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { ManagedProcess } from './managed-process.mjs';
import { findRedis } from './redis-executable.mjs';
import { tryRun } from './run-command.mjs';

const DOCKER_IMAGE = 'valkey/valkey:8-alpine';
const COMMAND_TIMEOUT_MS = 5_000;

/** Parses the first line of a reply, or a bulk string. Returns undefined while bytes are missing. */
function parseReply(bytes) {
  const end = bytes.indexOf('\r\n');
  if (end < 0) return undefined;
  const line = bytes.slice(0, end);
  if (!/^\$\d/.test(line)) return line;
  const text = bytes.slice(end + 2, end + 2 + Number(line.slice(1)));
  return text.length < Number(line.slice(1)) ? undefined : text;
}

/**
 * Sends one inline command and returns the first line of the reply, or its bulk string. That suffices for PING, GET,
 * FLUSHALL and CONFIG without a client library.
 */
function redisCommand(url, command) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port || 6379) });
    let reply = '';
    socket.setTimeout(COMMAND_TIMEOUT_MS, () => socket.destroy(new Error(`Redis did not reply to ${command}`)));
    socket.once('error', reject);
    socket.once('connect', () => socket.write(`${command}\r\n`));
    socket.once('close', () => reject(new Error(`Redis closed the connection during ${command}`)));
    socket.on('data', (chunk) => {
      reply += chunk;
      const parsed = parseReply(reply);
      if (parsed === undefined) return;
      resolve(parsed);
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

/**
 * Redis holds balances: it must evict nothing, and a crash may lose one second of writes. A throwaway Redis never waits
 * for its disk: with `everysec`, a slow disk holds acknowledged writes back for up to two seconds, and a killed process
 * loses them. With `no`, they are in the operating system's hands before the reply.
 */
const settings = (folder, isThrowaway) => [
  '--dir',
  folder,
  '--appendonly',
  'yes',
  '--appendfsync',
  isThrowaway ? 'no' : 'everysec',
  '--save',
  '',
  '--maxmemory-policy',
  'noeviction',
];

function startCommand(found, { port, folder, isThrowaway = false, serverArgs = [] }) {
  if (!found.isDocker) {
    return {
      command: found.command,
      args: ['--port', String(port), '--bind', '127.0.0.1', ...settings(folder, isThrowaway), ...serverArgs],
    };
  }
  const container = `gateway-redis-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`;
  const docker = ['run', '--rm', '--name', container, '-p', `127.0.0.1:${port}:6379`, '-v', `${folder}:/data`];
  return {
    command: 'docker',
    args: [...docker, DOCKER_IMAGE, 'valkey-server', ...settings('/data', isThrowaway), ...serverArgs],
    container,
  };
}

/**
 * A Redis server on the given port.
 * Options: name, port, folder (its data), logFile, record, onUnexpectedExit, isThrowaway (no machine's crash matters),
 * serverArgs (further options of the server).
 */
class LocalRedis {
  #process;
  #startCommand;

  constructor(found, options) {
    const { name, port, folder, logFile, record, onUnexpectedExit } = options;
    mkdirSync(folder, { recursive: true });
    this.folder = folder;
    this.url = `redis://127.0.0.1:${port}`;
    this.#startCommand = startCommand(found, options);
    const { command, args } = this.#startCommand;
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
    // A container survives a killed launcher, unlike the docker client process.
    if (this.#startCommand.container !== undefined) await tryRun('docker', ['rm', '-f', this.#startCommand.container]);
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

  /** Deletes all data while the server runs, like a failover to an empty replica. */
  async flush() {
    await this.command('FLUSHALL');
  }

  /** Stops the server, deletes its files, and starts it again. */
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
