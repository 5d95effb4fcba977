import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackDebianPackages } from './debian-packages.mjs';
import { PlainError } from './print.mjs';
import { localFolder } from './project-paths.mjs';
import { run, tryRun } from './run-command.mjs';

const EXECUTABLES = ['redis-server', 'valkey-server'];
const UNPACKED_FOLDER = join(localFolder, 'redis-server');
/** The server is a link to a program of the tools. */
const DEBIAN_PACKAGES = ['redis-server', 'redis-tools'];

/** Commands that install Redis without a prompt. The first available package manager is used. */
const PACKAGE_MANAGERS = [
  {
    command: 'apt-get',
    commands: [
      ['update', '-qq'],
      ['install', '-y', '-qq', '--no-install-recommends', 'redis-server'],
    ],
    needsRoot: true,
  },
  { command: 'apk', commands: [['add', '--no-cache', 'redis']], needsRoot: true },
  { command: 'dnf', commands: [['install', '-y', 'valkey']], needsRoot: true },
  { command: 'brew', commands: [['install', 'redis']], needsRoot: false },
];

const INSTALL_HINT =
  'Redis is missing: install redis-server or valkey-server (for example `sudo apt-get install redis-server`), or set REDIS_URL.';

async function versionOf(executable) {
  const output = await tryRun(executable, ['--version']);
  return output === undefined ? undefined : { command: executable, version: /v=(\S+)/.exec(output)?.[1] ?? output };
}

async function findOnPath() {
  for (const executable of EXECUTABLES) {
    const found = await versionOf(executable);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Writes a script that starts the server with its unpacked libraries, which the system's folders lack. */
function writeStartScript(root, file) {
  const libraries = join(root, 'usr/lib');
  const folders = (existsSync(libraries) ? readdirSync(libraries) : [])
    .filter((name) => name.includes('-linux-'))
    .map((name) => join(libraries, name));
  const environment = folders.length === 0 ? '' : `LD_LIBRARY_PATH='${folders.join(':')}' `;
  writeFileSync(file, `#!/bin/sh\n${environment}exec '${join(root, 'usr/bin/redis-server')}' "$@"\n`);
  chmodSync(file, 0o755);
}

/**
 * Unpacks Debian's Redis below `folder`, without root and without a system service. Returns `{ command, version }`, or
 * undefined if apt or the download is unavailable.
 */
export async function unpackRedis(folder, note, options) {
  const root = await unpackDebianPackages(DEBIAN_PACKAGES, folder, note, options);
  if (root === undefined) return undefined;
  const command = startScriptIn(folder);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeStartScript(root, command);
  return versionOf(command);
}

const startScriptIn = (folder) => join(folder, 'bin', 'redis-server');

/** Returns `[]` for root, `['sudo', '-n']` if sudo needs no password, else undefined. */
async function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  return (await tryRun('sudo', ['-n', 'true'])) === undefined ? undefined : ['sudo', '-n'];
}

async function installWith({ command, commands, needsRoot }, note) {
  const prefix = needsRoot ? await rootPrefix() : [];
  if (prefix === undefined || (await tryRun(command, ['--version'])) === undefined) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of commands) {
    const [executable, ...parameters] = [...prefix, command, ...args];
    note(`${command} ${args.join(' ')}`);
    const { code } = await run(executable, parameters, { env, onLine: note });
    // An update fails if one source is unavailable; the install may still succeed.
    if (code !== 0) note(`${command} ${args[0]} failed (${code})`);
  }
}

async function installWithPackageManager(note) {
  for (const manager of PACKAGE_MANAGERS) {
    await installWith(manager, note);
    const installed = await findOnPath();
    if (installed !== undefined) return installed;
  }
  return undefined;
}

/**
 * Finds a way to run Redis: an executable on the PATH or below `folder`, which it downloads if necessary, else Docker.
 * Returns `{ command, version }` or `{ isDocker: true }`. Otherwise throws PlainError with what to install.
 */
export async function findRedis(note, folder = UNPACKED_FOLDER) {
  const found =
    (await findOnPath()) ??
    (await versionOf(startScriptIn(folder))) ??
    (await unpackRedis(folder, note)) ??
    (await installWithPackageManager(note));
  if (found !== undefined) return found;
  if ((await tryRun('docker', ['info'])) !== undefined) return { isDocker: true, version: 'in Docker' };
  throw new PlainError(INSTALL_HINT);
}
