import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canConnect, ensureDatabase } from './database.mjs';
import { ManagedProcess } from './managed-process.mjs';
import { locatePostgres, makeFolderFor } from './postgres-binaries.mjs';
import { PlainError } from './print.mjs';
import { runOrFail } from './run-command.mjs';

const USER = 'gateway';
const DATABASE = 'gateway';
const MAJOR = '18';

/** Creates the cluster in a temporary folder and renames it, so that an interrupted start leaves no incomplete one. */
async function initialise({ bin, dataHome, owner }, password) {
  const data = join(dataHome, 'data');
  if (existsSync(join(data, 'PG_VERSION'))) return data;
  const unfinished = join(dataHome, 'data.unfinished');
  const passwordFile = join(dataHome, 'password');
  rmSync(unfinished, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o644 });
  const options = [
    `--pgdata=${unfinished}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ];
  try {
    await runOrFail(join(bin, 'initdb'), options, { cwd: dataHome, env: { ...process.env, LC_ALL: 'C' }, ...owner });
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinished, data);
  return data;
}

function checkVersion(data) {
  const version = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
  if (version !== MAJOR) {
    throw new PlainError(
      `${data} was made by PostgreSQL ${version}, this is ${MAJOR}: move it away or set DATABASE_URL.`,
    );
  }
}

/** A test's cluster starts empty and skips protection against power cuts. */
const FAST_FLAGS = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'];

/**
 * Starts the embedded PostgreSQL with its database and returns `{ process, url, dataFolder }`. Options: home (folder),
 * port, password, logFile, record, isThrowaway, onUnexpectedExit.
 */
export async function startPostgres({ home, port, password, logFile, record, isThrowaway = false, onUnexpectedExit }) {
  const place = await locatePostgres(home);
  if (isThrowaway) rmSync(place.dataHome, { recursive: true, force: true });
  makeFolderFor(place.owner, place.dataHome);
  const data = await initialise(place, password);
  checkVersion(data);
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=300'];
  const server = new ManagedProcess({
    name: 'postgres',
    command: join(place.bin, 'postgres'),
    args: [
      '-D',
      data,
      '-p',
      String(port),
      ...settings.flatMap((setting) => ['-c', setting]),
      ...(isThrowaway ? FAST_FLAGS : []),
    ],
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    cwd: place.dataHome,
    ...place.owner,
    logFile,
    record,
    // Fast shutdown: ends open sessions and keeps all committed data.
    stopSignal: 'SIGINT',
    abandonSignal: 'SIGINT',
    onUnexpectedExit,
  });
  server.start();
  const serverUrl = `postgresql://${USER}:${password}@127.0.0.1:${port}`;
  await server.waitUntil(() => canConnect(`${serverUrl}/postgres`));
  const url = `${serverUrl}/${DATABASE}`;
  await ensureDatabase(url);
  return { process: server, url, dataFolder: data };
}
