import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf, run } from './run-command.mjs';

const INSTALLED_PACKAGES = '/var/lib/dpkg/status';

/** apt with its own lists and cache below `home`: it needs no root and changes no system files. */
const privateApt = (home, statusFile) => [
  ...['-o', `Dir::State=${join(home, 'state')}`],
  ...['-o', `Dir::State::status=${statusFile}`],
  ...['-o', `Dir::Cache=${join(home, 'cache')}`],
  ...['-o', 'Debug::NoLocking=true'],
  // Empty: apt otherwise switches to a user that may not write below `home`.
  ...['-o', 'APT::Sandbox::User='],
];

const canUnpack = async () =>
  (await outputOf('apt-get', ['--version'])) !== undefined && (await outputOf('dpkg-deb', ['--version'])) !== undefined;

/**
 * Downloads Debian packages with the dependencies that this machine lacks, and unpacks them below `folder` without an
 * installation. Needs no root. Returns the folder that replaces `/`, or undefined where this is impossible.
 * `statusFile` lists the installed packages in dpkg's format; tests pass a shorter list.
 */
export async function unpackDebianPackages(names, folder, note, { statusFile = INSTALLED_PACKAGES } = {}) {
  if (!(await canUnpack())) return undefined;
  const apt = join(folder, 'apt');
  const archives = join(apt, 'cache', 'archives');
  const unfinished = join(folder, 'root.unfinished');
  rmSync(folder, { recursive: true, force: true });
  for (const path of [join(apt, 'state', 'lists', 'partial'), join(archives, 'partial'), unfinished])
    mkdirSync(path, { recursive: true });
  const options = privateApt(apt, statusFile);
  note(`downloading Debian's packages ${names.join(', ')}`);
  // One of several sources may be down; the download then fails for missing packages.
  await run('apt-get', [...options, 'update', '-qq'], { onLine: note });
  await run(
    'apt-get',
    [...options, 'install', '-y', '-qq', '--no-install-recommends', '--reinstall', '--download-only', ...names],
    {
      onLine: note,
    },
  );
  const packages = readdirSync(archives).filter((file) => file.endsWith('.deb'));
  if (packages.length === 0) return undefined;
  for (const file of packages) await run('dpkg-deb', ['-x', join(archives, file), unfinished], { onLine: note });
  rmSync(apt, { recursive: true, force: true });
  const root = join(folder, 'root');
  renameSync(unfinished, root);
  return root;
}
