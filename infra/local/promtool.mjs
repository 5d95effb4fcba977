import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { localFolder } from './project-paths.mjs';
import { answerOf, run } from './run-command.mjs';

const folder = join(localFolder, 'promtool');
const unpacked = join(folder, 'usr/bin/promtool');
const DEBIAN_PACKAGE = 'prometheus';

/** Debian's package, unpacked and not installed: of all that is in it only this one program is wanted, and no service. */
async function unpackFromDebian(note) {
  if ((await answerOf('dpkg-deb', ['--version'])) === undefined) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const download = () => run('apt-get', ['download', '-qq', DEBIAN_PACKAGE], { cwd: folder, onLine: note });
  const isThere = () => readdirSync(folder).find((name) => name.endsWith('.deb'));
  await download();
  // A machine that has never heard of any package; needs root, and who is not has to do it.
  if (isThere() === undefined) {
    await run('apt-get', ['update', '-qq'], { onLine: note });
    await download();
  }
  const file = isThere();
  if (file === undefined) return;
  await run('dpkg-deb', ['-x', file, '.'], { cwd: folder, onLine: note });
  rmSync(join(folder, file));
}

async function versionOf(command) {
  const said = await answerOf(command, ['--version']);
  return said === undefined ? undefined : { command, version: /version (\S+)/.exec(said)?.[1] ?? said };
}

/** Prometheus' own tool as `{ command, version }`, from the PATH or from Debian's package; undefined where neither is to be had. */
export async function findPromtool(note) {
  const found = (await versionOf('promtool')) ?? (await versionOf(unpacked));
  if (found !== undefined) return found;
  await unpackFromDebian(note).catch((error) => note(error.message));
  return versionOf(unpacked);
}
