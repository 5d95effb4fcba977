import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findRedis } from './redis-executable.mjs';

const SERVER = 'echo "Redis server v=7.9.9 sha=0"';
const realPath = process.env.PATH;
let folder;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'redis-executable-'));
  // Nothing of the real machine may be found.
  process.env.PATH = folder;
});
afterEach(() => {
  process.env.PATH = realPath;
  rmSync(folder, { recursive: true, force: true });
});

/** Puts an executable on the PATH that does what the shell script says. */
const provide = (name, script) => writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

/** A package manager that brings `executable` when it is asked to install. */
const packageManager = (executable) => {
  const file = join(folder, executable);
  const bring = `printf '#!/bin/sh\\n${SERVER.replaceAll('"', '\\"')}\\n' > ${file}; /bin/chmod 755 ${file}`;
  return `case "$*" in *install*) ${bring};; *) exit 0;; esac`;
};

const notes = [];
const note = (text) => notes.push(text);

describe('finding a Redis', () => {
  it('takes the one on the PATH', async () => {
    provide('redis-server', SERVER);
    expect(await findRedis(note)).toEqual({ command: 'redis-server', version: '7.9.9' });
  });

  it('takes Valkey where there is no Redis', async () => {
    provide('valkey-server', SERVER);
    expect(await findRedis(note)).toMatchObject({ command: 'valkey-server' });
  });

  it('installs it with the package manager of the system, without asking', async () => {
    provide('sudo', 'shift; "$@"');
    provide('apt-get', packageManager('redis-server'));
    expect(await findRedis(note)).toMatchObject({ command: 'redis-server' });
    expect(notes).toContain('apt-get install -y -qq --no-install-recommends redis-server');
  });

  it('uses Docker where nothing can be installed but Docker runs', async () => {
    provide('apt-get', 'exit 1');
    provide('docker', '[ "$1" = info ]');
    expect(await findRedis(note)).toMatchObject({ isDocker: true });
  });

  it('says in one line what to install where there is no way', async () => {
    provide('docker', 'exit 1');
    await expect(findRedis(note)).rejects.toThrow(/^Redis is missing: install redis-server [^\n]*$/);
  });
});
