import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DockerfileParser } from 'dockerfile-ast';
import { builtFile } from '../local/build.mjs';
import { reserveRandomPort } from '../local/ports.mjs';
import { projectRoot } from '../local/project-paths.mjs';
import { run } from '../local/run-command.mjs';
import { newSecrets } from '../local/secrets.mjs';
import { SERVICES, serviceEnvironment } from '../local/services.mjs';
import { DOCKERFILE } from './rehearse.mjs';

/** Runs as process 1, as in a container. Without that right the exit code still shows what ended the process. */
const AS_PROCESS_ONE = ['unshare', '--pid', '--fork', '--kill-child'];
const mayBeProcessOne = await run(AS_PROCESS_ONE[0], [...AS_PROCESS_ONE.slice(1), 'true']).then(
  ({ code }) => code === 0,
  () => false,
);

const [ofMigrations, ofServices] = DockerfileParser.parse(readFileSync(DOCKERFILE, 'utf8'))
  .getInstructions()
  .filter((instruction) => instruction.getKeyword() === 'CMD')
  .map((instruction) => JSON.parse(instruction.getArgumentsContent()));

/** Loaded between the image's preload and the service: reports that the preload has run. */
const FIRST_LINE = 'the first line has been read';
const announcing = ([node, ...args]) => [
  node,
  ...args.slice(0, -1),
  `--import=data:text/javascript,console.log('${FIRST_LINE}')`,
  args.at(-1),
];

const BARE_ENVIRONMENT = { NODE_ENV: 'development' };
const folder = mkdtempSync(join(tmpdir(), 'ends-while-starting-'));

/** Stores that accept connections and never respond, like a hung machine, and an address without a server. */
const connected = [];
const silent = createServer((socket) => {
  connected.push(socket);
  socket.on('error', () => undefined);
});
let silentAddress;
let unusedAddress;

beforeAll(async () => {
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  silentAddress = `127.0.0.1:${silent.address().port}`;
  unusedAddress = `127.0.0.1:${await reserveRandomPort()}`;
});

afterAll(() => {
  for (const socket of connected) socket.destroy();
  silent.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The process itself, a child of `unshare`. */
function processOneOf(child) {
  if (!mayBeProcessOne) return child.pid;
  const own = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
  return own === '' ? undefined : Number(own);
}

async function until(isSo, child) {
  while (!(await isSo())) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended first: ${child.output}`);
    await sleep(5);
  }
}

/** A command of the image, run with local files. */
async function start(command, app, env) {
  const [program, ...args] = command.map((word) => {
    if (word === 'node') return process.execPath;
    if (word.startsWith('dist/')) return builtFile(join(app, word));
    return word.startsWith('./') ? join(projectRoot, 'infra/docker', word) : word;
  });
  const [first, ...rest] = mayBeProcessOne ? [...AS_PROCESS_ONE, program, ...args] : [program, ...args];
  const child = spawn(first, rest, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes) => {
      child.output += bytes;
    });
  await until(() => processOneOf(child) !== undefined, child);
  return { child, pid: processOneOf(child), ended: once(child, 'exit') };
}

async function serviceOn(service, stores, command = ofServices) {
  const ports = {};
  for (const name of Object.keys(SERVICES[service].ports)) ports[name] = await reserveRandomPort();
  const system = {
    shell: BARE_ENVIRONMENT,
    secrets: newSecrets(),
    redisUrl: `redis://${stores}`,
    servicesDatabaseUrl: `postgresql://postgres@${stores}/postgres`,
    accountsDatabaseUrl: `postgresql://postgres@${stores}/postgres`,
    billingUrl: `http://${stores}`,
    simulatorUrl: `http://${stores}`,
    accountUrl: `http://${stores}`,
    baseUrl: `http://${stores}`,
  };
  const own = { SPOOL_DIRECTORY: join(folder, 'spool', service), UPLOAD_DIRECTORY: join(folder, 'uploads') };
  return start(command, `apps/${service}`, serviceEnvironment(service, ports, system, {}, own));
}

/** Stops by itself after SIGTERM, not by the signal; returns the exit code. */
async function codeAfterTerm({ child, pid, ended }) {
  try {
    process.kill(pid, 'SIGTERM');
    const [code, signal] = await Promise.race([ended, sleep(20_000, ['outstayed'], { ref: false })]);
    if (code === null || code === 'outstayed') throw new Error(`${signal ?? code}: ${child.output}`);
    return code;
  } finally {
    if (child.exitCode === null) process.kill(pid, 'SIGKILL');
  }
}

describe('a container that gets SIGTERM while it starts', () => {
  it.each(Object.keys(SERVICES))('%s: as soon as Node has read its first line', async (service) => {
    const started = await serviceOn(service, silentAddress, announcing(ofServices));
    await until(() => started.child.output.includes(FIRST_LINE), started.child);
    const code = await codeAfterTerm(started);
    // Services without a dependency may be ready before Node handles signals: they drain then.
    expect(code).toBe(started.child.output.includes('"ready"') ? 0 : 143);
  });

  it.each(['api-edge', 'sync-worker', 'video-worker'])(
    '%s: while Redis accepts connections and never responds',
    async (service) => {
      const before = connected.length;
      const started = await serviceOn(service, silentAddress);
      await until(() => connected.length > before, started.child);
      expect(await codeAfterTerm(started)).toBe(143);
    },
  );

  it.each(['api-edge', 'sync-worker', 'video-worker'])(
    '%s: while no server listens at the address of Redis',
    async (service) => {
      const started = await serviceOn(service, unusedAddress);
      await until(() => started.child.output.includes('ECONNREFUSED'), started.child);
      expect(await codeAfterTerm(started)).toBe(143);
    },
  );

  it.each(['billing', 'accounts', 'batch-worker', 'mcp-server'])(
    '%s: drains without waiting for a store',
    async (service) => {
      const started = await serviceOn(service, unusedAddress);
      await until(() => started.child.output.includes('"ready"'), started.child);
      expect(await codeAfterTerm(started)).toBe(0);
    },
  );

  it('migrations: exits with an error code', async () => {
    const before = connected.length;
    const env = { PATH: process.env.PATH, DATABASE_URL: `postgresql://postgres@${silentAddress}/postgres` };
    const started = await start(ofMigrations, 'packages/postgres', env);
    await until(() => connected.length > before, started.child);
    expect(await codeAfterTerm(started)).toBe(143);
  });

  it("is ended by the signal itself without the image's preload, unlike process 1", async () => {
    const before = connected.length;
    const { child, pid, ended } = await serviceOn('sync-worker', silentAddress, ['node', 'dist/bundle/main.js']);
    await until(() => connected.length > before, child);
    process.kill(pid, 'SIGTERM');
    if (mayBeProcessOne) {
      // Another attempt to reach Redis shows that it ignored the signal.
      const since = connected.length;
      await until(() => connected.length > since, child);
      process.kill(pid, 'SIGKILL');
    }
    const [, signal] = await ended;
    expect(signal === 'SIGTERM').toBe(!mayBeProcessOne);
  });
});
