import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAll, installPackages } from '../../infra/local/build.mjs';
import { PlainError } from '../../infra/local/print.mjs';
import { projectRoot } from '../../infra/local/project-paths.mjs';
import { runOrFail, tryRun } from '../../infra/local/run-command.mjs';

const SHOWN_CHARACTERS = 10;

const git = (...args) => tryRun('git', args, { cwd: projectRoot });

/** The minimum number of commits in a release: the commit before would hardly differ. */
const COMMITS_OF_A_RELEASE = 25;

/** The previous release: the last tag, else a commit that many shipped changes ago. */
async function usualRevision() {
  const tag = await git('describe', '--tags', '--abbrev=0', 'HEAD^');
  return tag ?? (await git('log', '-1', `--skip=${COMMITS_OF_A_RELEASE}`, '--format=%H', '--', 'apps', 'packages'));
}

/** Older commits call SQL functions that this version's database lacks. */
const FIRST_SHARED_FOLDER = 'packages/postgres/prisma/functions';

const canShareDatabase = async (revision) =>
  Boolean(await git('ls-tree', '--name-only', revision, '--', FIRST_SHARED_FOLDER));

/** The full id of the previous version, or of `from`. Undefined if no earlier version can use this database. */
export async function revisionBefore(from) {
  const name = from ?? (await usualRevision());
  const revision = name ? await git('rev-parse', '--verify', `${name}^{commit}`) : undefined;
  if (from !== undefined && revision === undefined) throw new PlainError(`git knows no commit ${from}.`);
  if (revision === undefined || (await canShareDatabase(revision))) return revision;
  if (from === undefined) return undefined;
  throw new PlainError(`Commit ${from} cannot use this version's database: it has no folder ${FIRST_SHARED_FOLDER}.`);
}

/** Builds that commit in its own folder, which later runs reuse. Returns the folder. */
export async function buildRevision(revision, { folder, toolchain }, note) {
  const root = join(folder, revision.slice(0, SHOWN_CHARACTERS));
  const done = join(root, '.built');
  if (existsSync(done)) return root;
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  const archive = join(folder, 'archive.tar');
  await runOrFail('git', ['archive', '--output', archive, revision], { cwd: projectRoot });
  await runOrFail('tar', ['-x', '-f', archive, '-C', root]);
  rmSync(archive);
  await installPackages(toolchain, note, root);
  // The project's own cache has the outputs of unchanged packages.
  const env = { ...toolchain.env, TURBO_CACHE_DIR: join(projectRoot, '.turbo', 'cache') };
  await buildAll({ ...toolchain, env }, note, root);
  writeFileSync(done, '');
  return root;
}
