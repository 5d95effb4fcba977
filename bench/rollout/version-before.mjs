import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAll, installPackages } from '../../infra/local/build.mjs';
import { PlainError } from '../../infra/local/print.mjs';
import { projectRoot } from '../../infra/local/project-paths.mjs';
import { runOrFail, tryRun } from '../../infra/local/run-command.mjs';

const SHORT_ID_LENGTH = 10;

const git = (...args) => tryRun('git', args, { cwd: projectRoot });

/** As many commits as a release has at the least: with the one before, hardly anything would be different. */
const COMMITS_OF_A_RELEASE = 25;

/** What was released before this: the last tag behind us, else a commit so far back among those that changed what ships. */
async function defaultRevision() {
  const tag = await git('describe', '--tags', '--abbrev=0', 'HEAD^');
  return tag ?? (await git('log', '-1', `--skip=${COMMITS_OF_A_RELEASE}`, '--format=%H', '--', 'apps', 'packages'));
}

/** Older commits call SQL functions that the database of this version does not have. */
const FIRST_SHARED_FOLDER = 'packages/postgres/prisma/functions';

const canShareDatabase = async (revision) =>
  Boolean(await git('ls-tree', '--name-only', revision, '--', FIRST_SHARED_FOLDER));

/** The full id of the version before, `from` if it is given. Undefined if no earlier version can use this database. */
export async function revisionBefore(from) {
  const name = from ?? (await defaultRevision());
  const revision = name ? await git('rev-parse', '--verify', `${name}^{commit}`) : undefined;
  if (from !== undefined && revision === undefined) throw new PlainError(`git knows no commit ${from}.`);
  if (revision === undefined || (await canShareDatabase(revision))) return revision;
  if (from === undefined) return undefined;
  throw new PlainError(`Commit ${from} cannot use this version's database: it has no folder ${FIRST_SHARED_FOLDER}.`);
}

/** That commit, built in a folder of its own, which is kept for the next run. Gives back the folder. */
export async function buildRevision(revision, { folder, toolchain }, note) {
  const root = join(folder, revision.slice(0, SHORT_ID_LENGTH));
  const done = join(root, '.built');
  if (existsSync(done)) return root;
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  const archive = join(folder, 'archive.tar');
  await runOrFail('git', ['archive', '--output', archive, revision], { cwd: projectRoot });
  await runOrFail('tar', ['-x', '-f', archive, '-C', root]);
  rmSync(archive);
  await installPackages(toolchain, note, root);
  // What did not change since is taken from this project's own cache.
  const env = { ...toolchain.env, TURBO_CACHE_DIR: join(projectRoot, '.turbo', 'cache') };
  await buildAll({ ...toolchain, env }, note, root);
  writeFileSync(done, '');
  return root;
}
