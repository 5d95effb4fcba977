import { PlainError } from './print.mjs';
import { answerOf, run } from './run-command.mjs';

const EXECUTABLES = ['redis-server', 'valkey-server'];

/** How each package manager installs a Redis without asking; the first one that the machine has is used. */
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

async function onPath() {
  for (const executable of EXECUTABLES) {
    const version = await answerOf(executable, ['--version']);
    if (version !== undefined) return { command: executable, version: /v=(\S+)/.exec(version)?.[1] ?? version };
  }
  return undefined;
}

/** `[]` for root, `['sudo', '-n']` where sudo asks for no password, undefined where neither. */
async function asRoot() {
  if (process.getuid?.() === 0) return [];
  return (await answerOf('sudo', ['-n', 'true'])) === undefined ? undefined : ['sudo', '-n'];
}

async function installWith({ command, installs, needsRoot }, note) {
  const prefix = needsRoot ? await asRoot() : [];
  if (prefix === undefined || (await answerOf(command, ['--version'])) === undefined) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of installs) {
    const [executable, ...rest] = [...prefix, command, ...args];
    note(`${command} ${args.join(' ')}`);
    const { code } = await run(executable, rest, { env, onLine: note });
    // An update fails as a whole if one of many sources does not answer; the package may be known all the same.
    if (code !== 0) note(`${command} ${args[0]} failed (${code})`);
  }
}

/**
 * How to run a Redis here: `{ command, version }` for an executable on the PATH (installed now if need be), or
 * `{ isDocker: true }`; where there is no way, one line says what to install.
 */
export async function findRedis(note) {
  const found = await onPath();
  if (found !== undefined) return found;
  for (const manager of PACKAGE_MANAGERS) {
    await installWith(manager, note);
    const installed = await onPath();
    if (installed !== undefined) return installed;
  }
  if ((await answerOf('docker', ['info'])) !== undefined) return { isDocker: true, version: 'in Docker' };
  throw new PlainError(WHAT_TO_INSTALL);
}
