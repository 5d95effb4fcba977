import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { unpackDebianPackages } from './debian-packages.mjs';
import { localFolder } from './project-paths.mjs';
import { tryRun } from './run-command.mjs';

const UNPACKED_FOLDER = join(localFolder, 'go');

const isRunnable = async (command) => (await tryRun(command, ['version'])) !== undefined;

/**
 * Returns the path of Go: `GO`, `go` on the PATH, or Debian's package, which it unpacks below `folder` without root.
 * Returns undefined if none of them is there: the tests of Go's programs are not run then.
 */
export async function findGo(note, folder = UNPACKED_FOLDER) {
  if (process.env.GO !== undefined) return process.env.GO;
  if (await isRunnable('go')) return 'go';
  const unpacked = join(folder, 'root');
  const root = existsSync(unpacked) ? unpacked : await unpackDebianPackages(['golang-go'], folder, note);
  if (root === undefined || !existsSync(join(root, 'usr/lib/go'))) return undefined;
  const command = join(realpathSync(join(root, 'usr/lib/go')), 'bin/go');
  return (await isRunnable(command)) ? command : undefined;
}
