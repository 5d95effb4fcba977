import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canConnect, ensureDatabase } from './database.mjs';
import { ManagedProcess } from './managed-process.mjs';
import { createFolderFor, locatePostgres } from './postgres-binaries.mjs';
import { PlainError } from './print.mjs';
import { runOrFail } from './run-command.mjs';

const USER = 'gateway';
const DATABASE = 'gateway';
const MAJOR = '18';

/** Initialises the data folder under a temporary name and renames it, so that an interrupted start leaves no broken one. */
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
      `${data} belongs to PostgreSQL ${version}, but this is version ${MAJOR}. Move the folder away, or set DATABASE_URL.`,
    );
  }
}

/** Test data need not survive a power cut. */
const FAST_FLAGS = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'];

/**
 * Starts the embedded PostgreSQL, creates the database, and returns `{ process, url, dataFolder }`. With `isThrowaway` it
 * deletes old data first and does not sync to disk.
 */
export async function startPostgres({ home, port, password, logFile, record, isThrowaway = false, onUnexpectedExit }) {
  const place = await locatePostgres(home);
  if (isThrowaway) rmSync(place.dataHome, { recursive: true, force: true });
  createFolderFor(place.owner, place.dataHome);
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
    // SIGINT is PostgreSQL's fast shutdown: it closes sessions and keeps committed data.
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
