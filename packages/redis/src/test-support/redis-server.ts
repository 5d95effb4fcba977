import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A Redis of the test's own, with an append-only file, that may be killed and started again. */
export class RedisServer {
  #process: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    readonly folder: string,
    private readonly more: readonly string[],
  ) {}

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** `more`: options of the server, besides those of every test. */
  static async start(more: readonly string[] = []): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), await mkdtemp(join(tmpdir(), 'gateway-redis-')), more);
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const options = ['--port', `${this.port}`, '--dir', this.folder, '--appendonly', 'yes', '--save', '', ...this.more];
    const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
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

  /** It keeps its connections, takes new ones and answers nothing, as a machine that hangs. */
  suspend(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
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
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}
