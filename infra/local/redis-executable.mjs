import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackDebianPackages } from './debian-packages.mjs';
import { PlainError } from './print.mjs';
import { localFolder } from './project-paths.mjs';
import { outputOf, run } from './run-command.mjs';

const EXECUTABLES = ['redis-server', 'valkey-server'];
const UNPACKED_FOLDER = join(localFolder, 'redis-server');
/** The server is a link to a program of the tools. */
const DEBIAN_PACKAGES = ['redis-server', 'redis-tools'];

/** How each package manager installs Redis without a prompt; the first available one is used. */
const PACKAGE_MANAGERS = [
  {
    command: 'apt-get',
    installs: [
      ['update', '-qq'],
      ['install', '-y', '-qq', '--no-install-recommends', 'redis-server'],
    ],
    needsRoot: true,
  },
  { command: 'apk', installs: [['add', '--no-cache', 'redis']], needsRoot: true },
  { command: 'dnf', installs: [['install', '-y', 'valkey']], needsRoot: true },
  { command: 'brew', installs: [['install', 'redis']], needsRoot: false },
];

const WHAT_TO_INSTALL =
  'Redis is missing: install redis-server or valkey-server (for example `sudo apt-get install redis-server`), or set REDIS_URL.';

async function versionOf(executable) {
  const output = await outputOf(executable, ['--version']);
  return output === undefined ? undefined : { command: executable, version: /v=(\S+)/.exec(output)?.[1] ?? output };
}

async function onPath() {
  for (const executable of EXECUTABLES) {
    const found = await versionOf(executable);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The unpacked libraries are not in the system's folders, so the server needs their path. */
function writeLauncher(root, file) {
  const libraries = join(root, 'usr/lib');
  const folders = (existsSync(libraries) ? readdirSync(libraries) : [])
    .filter((name) => name.includes('-linux-'))
    .map((name) => join(libraries, name));
  const environment = folders.length === 0 ? '' : `LD_LIBRARY_PATH='${folders.join(':')}' `;
  writeFileSync(file, `#!/bin/sh\n${environment}exec '${join(root, 'usr/bin/redis-server')}' "$@"\n`);
  chmodSync(file, 0o755);
}

/**
 * Unpacks Debian's Redis below `folder` without root and without a system service. Returns `{ command, version }`, or
 * undefined where the machine has no apt or the download fails.
 */
export async function unpackRedis(folder, note, options) {
  const root = await unpackDebianPackages(DEBIAN_PACKAGES, folder, note, options);
  if (root === undefined) return undefined;
  const command = launcherIn(folder);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeLauncher(root, command);
  return versionOf(command);
}

const launcherIn = (folder) => join(folder, 'bin', 'redis-server');

/** `[]` for root, `['sudo', '-n']` where sudo needs no password, otherwise undefined. */
async function asRoot() {
  if (process.getuid?.() === 0) return [];
  return (await outputOf('sudo', ['-n', 'true'])) === undefined ? undefined : ['sudo', '-n'];
}

async function installWith({ command, installs, needsRoot }, note) {
  const prefix = needsRoot ? await asRoot() : [];
  if (prefix === undefined || (await outputOf(command, ['--version'])) === undefined) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of installs) {
    const [executable, ...rest] = [...prefix, command, ...args];
    note(`${command} ${args.join(' ')}`);
    const { code } = await run(executable, rest, { env, onLine: note });
    // One failed source fails the whole update; the package may be available all the same.
    if (code !== 0) note(`${command} ${args[0]} failed (${code})`);
  }
}

async function installWithPackageManager(note) {
  for (const manager of PACKAGE_MANAGERS) {
    await installWith(manager, note);
    const installed = await onPath();
    if (installed !== undefined) return installed;
  }
  return undefined;
}

/**
 * How to run a Redis here: `{ command, version }` for an executable on the PATH or below `folder` (unpacked now if
 * missing), or `{ isDocker: true }`. Otherwise throws an error with one line on what to install.
 */
export async function findRedis(note, folder = UNPACKED_FOLDER) {
  const found =
    (await onPath()) ??
    (await versionOf(launcherIn(folder))) ??
    (await unpackRedis(folder, note)) ??
    (await installWithPackageManager(note));
  if (found !== undefined) return found;
  if ((await outputOf('docker', ['info'])) !== undefined) return { isDocker: true, version: 'in Docker' };
  throw new PlainError(WHAT_TO_INSTALL);
}
