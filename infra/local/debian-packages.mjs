import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run, tryRun } from './run-command.mjs';

const INSTALLED_PACKAGES = '/var/lib/dpkg/status';

/** Options that keep apt's lists and cache below `home`. So apt needs no root and changes nothing outside. */
const privateAptOptions = (home, statusFile) => [
  ...['-o', `Dir::State=${join(home, 'state')}`],
  ...['-o', `Dir::State::status=${statusFile}`],
  ...['-o', `Dir::Cache=${join(home, 'cache')}`],
  ...['-o', 'Debug::NoLocking=true'],
  // Without this apt switches to a user that cannot write below `home`.
  ...['-o', 'APT::Sandbox::User='],
];

const canUnpack = async () =>
  (await tryRun('apt-get', ['--version'])) !== undefined && (await tryRun('dpkg-deb', ['--version'])) !== undefined;

/**
 * Downloads Debian packages with their missing dependencies and unpacks them below `folder`. It installs nothing and
 * needs no root. Returns the folder that corresponds to `/`, or undefined if apt or the download is unavailable.
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
  const options = privateAptOptions(apt, statusFile);
  note(`downloading the Debian packages ${names.join(', ')}`);
  // The update fails if one source is unavailable; the download may still succeed.
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
