import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findRedis } from './redis-executable.mjs';
import { run } from './run-command.mjs';

const SERVER = 'echo "Redis server v=7.9.9 sha=0"';
const realPath = process.env.PATH;
let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'redis-executable-'));
  // Hides the executables of this machine.
  process.env.PATH = folder;
});
afterEach(() => {
  process.env.PATH = realPath;
  rmSync(folder, { recursive: true, force: true });
});

/** Puts a shell script on the PATH under this name. */
const provide = (name, script) => writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

/** A package manager whose install command creates `executable`. */
const packageManager = (executable) => {
  const file = join(folder, executable);
  const create = `printf '#!/bin/sh\\n${SERVER.replaceAll('"', '\\"')}\\n' > ${file}; /bin/chmod 755 ${file}`;
  return `case "$*" in *install*) ${create};; *) exit 0;; esac`;
};

const notes = [];
const note = (text) => notes.push(text);

describe('findRedis', () => {
  it('uses the one on the PATH', async () => {
    provide('redis-server', SERVER);
    expect(await findRedis(note, join(folder, 'unpacked'))).toEqual({ command: 'redis-server', version: '7.9.9' });
  });

  it('uses Valkey if Redis is missing', async () => {
    provide('valkey-server', SERVER);
    expect(await findRedis(note, join(folder, 'unpacked'))).toMatchObject({ command: 'valkey-server' });
  });

  it("installs Redis with the system's package manager without a prompt", async () => {
    provide('sudo', 'shift; "$@"');
    provide('apt-get', packageManager('redis-server'));
    expect(await findRedis(note, join(folder, 'unpacked'))).toMatchObject({ command: 'redis-server' });
    expect(notes).toContain('apt-get install -y -qq --no-install-recommends redis-server');
  });

  it('uses Docker if no package manager works', async () => {
    provide('apt-get', 'exit 1');
    provide('docker', '[ "$1" = info ]');
    expect(await findRedis(note, join(folder, 'unpacked'))).toMatchObject({ isDocker: true });
  });

  it('rejects with one line about what to install if nothing works', async () => {
    provide('docker', 'exit 1');
    await expect(findRedis(note, join(folder, 'unpacked'))).rejects.toThrow(
      /^Redis is missing: install redis-server [^\n]*$/,
    );
  });
});

const INSTALLED = '/var/lib/dpkg/status';
/** Redis and the libraries that no other package needs. */
const REDIS_PACKAGES =
  /^Package: (redis-server|redis-tools|libjemalloc2|liblua5\.1-0|liblzf1|lua-bitop|lua-cjson|libhiredis[\d.]+)\n/;
const hasDebianPackages = existsSync(INSTALLED);

(hasDebianPackages ? describe : describe.skip)('on a Debian machine without Redis and without root', () => {
  it("unpacks Debian's Redis with its libraries, and the server runs", async () => {
    process.env.PATH = realPath;
    chmodSync(folder, 0o777);
    const statusFile = join(folder, 'status');
    const stanzas = readFileSync(INSTALLED, 'utf8').split('\n\n');
    writeFileSync(statusFile, stanzas.filter((stanza) => !REDIS_PACKAGES.test(`${stanza}\n`)).join('\n\n'));
    const unpacked = join(folder, 'unpacked');
    const script = `import { unpackRedis } from '${new URL('redis-executable.mjs', import.meta.url).href}';
      const found = await unpackRedis('${unpacked}', () => undefined, { statusFile: '${statusFile}' });
      process.stdout.write(JSON.stringify(found ?? null));`;
    const unprivileged = process.getuid() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const { output } = await run(process.execPath, ['--input-type=module', '-e', script], unprivileged);
    const found = JSON.parse(output);
    expect(found).toEqual({ command: join(unpacked, 'bin', 'redis-server'), version: expect.stringMatching(/^\d/) });
    const server = spawn(found.command, ['--port', '0', '--unixsocket', join(folder, 'redis.sock'), '--save', ''], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let log = '';
    for await (const chunk of server.stdout) {
      log += chunk;
      if (log.includes('ready to accept connections')) break;
    }
    server.kill();
    expect(log).toContain('ready to accept connections');
  });
});
