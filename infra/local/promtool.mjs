import { join } from 'node:path';
import { unpackDebianPackages } from './debian-packages.mjs';
import { localFolder } from './project-paths.mjs';
import { tryRun } from './run-command.mjs';

const folder = join(localFolder, 'promtool');
const unpacked = join(folder, 'root/usr/bin/promtool');
const DEBIAN_PACKAGE = 'prometheus';

async function versionOf(command) {
  const output = await tryRun(command, ['--version']);
  return output === undefined ? undefined : { command, version: /version (\S+)/.exec(output)?.[1] ?? output };
}

/** Finds promtool on the PATH or in Debian's package. Returns `{ command, version }`, or undefined. */
export async function findPromtool(note) {
  const found = (await versionOf('promtool')) ?? (await versionOf(unpacked));
  if (found !== undefined) return found;
  await unpackDebianPackages([DEBIAN_PACKAGE], folder, note).catch((error) => note(error.message));
  return versionOf(unpacked);
}
