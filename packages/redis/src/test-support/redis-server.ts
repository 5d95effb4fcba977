import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RedisConnection } from '../connection/connect-redis.js';

/**
 * With `everysec`, a slow disk holds acknowledged writes back, and a killed server loses them. With `no`, the operating
 * system has them before the reply.
 */
const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'no', '--save', ''];

/** A Redis server for one test, with an append-only file, that can be killed and restarted. */
export class RedisServer {
  #process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    readonly folder: string,
    private readonly options: readonly string[],
  ) {}

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** `options`: further options of the server. */
  static async start(options: readonly string[] = []): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), await mkdtemp(join(tmpdir(), 'gateway-redis-')), options);
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const own = ['--port', `${this.port}`, '--dir', this.folder];
    const child = spawn('redis-server', [...own, ...DURABLE, ...this.options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // Rejects if there is no such program: its output would never end.
    await once(child, 'spawn');
    this.#process = child;
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      if (String(chunk).includes('Ready to accept connections')) break;
    }
    child.stdout.resume();
  }

  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Simulates a hung machine: the server accepts connections and does not reply. */
  suspend(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  /** Simulates a full disk: a snapshot fails, because a folder has its name, and the server then refuses writes. */
  async failToSave(redis: RedisConnection): Promise<void> {
    await mkdir(join(this.folder, 'dump.rdb', 'not-empty'), { recursive: true });
    await redis.config('SET', 'save', '3600 1', 'stop-writes-on-bgsave-error', 'yes');
    await redis.bgsave();
    while (!(await redis.info('persistence')).includes('rdb_last_bgsave_status:err')) await sleep(20);
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('the system gave no port');
  return address.port;
}
