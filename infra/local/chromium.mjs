import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { unpackDebianPackages } from './debian-packages.mjs';
import { PlainError } from './print.mjs';
import { localFolder } from './project-paths.mjs';
import { tryRun } from './run-command.mjs';

/** Chromium without windows: a page takes two fifths of the processor time. Not every system has it. */
const SHELL = 'chromium-headless-shell';
const EXECUTABLES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome'];
const UNPACKED_FOLDER = join(localFolder, 'chromium');
/** Packages whose program has the same name below `usr/lib/chromium`. */
const DEBIAN_PACKAGES = [SHELL, 'chromium'];
/** What both need, and one font, so that pages have the same letters everywhere. */
const SHARED_PACKAGES = ['chromium-common', 'fonts-liberation'];

const INSTALL_HINT =
  'Chromium is missing: install it (for example `sudo apt-get install chromium`), or set CHROMIUM to its path.';

const isRunnable = async (command) => (await tryRun(command, ['--version'])) !== undefined;

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The whole path: who starts a browser looks up no name. */
async function findOnPath() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const files = EXECUTABLES.flatMap((name) => folders.map((folder) => join(folder, name)));
  for (const file of files) if (isExecutable(file) && (await isRunnable(file))) return file;
  return undefined;
}

/** The folders of the unpacked root that hold libraries: `usr/lib/x86_64-linux-gnu` and those below it. */
function libraryFolders(root) {
  const libraries = join(root, 'usr/lib');
  const names = existsSync(libraries) ? readdirSync(libraries) : [];
  return names.filter((name) => name.includes('-linux-')).map((name) => join(libraries, name));
}

function writeStartScript(root, name, file) {
  const folders = libraryFolders(root).concat(join(root, 'usr/lib/chromium')).join(':');
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `#!/bin/sh\nLD_LIBRARY_PATH='${folders}' exec '${join(root, 'usr/lib/chromium', name)}' "$@"\n`);
  chmodSync(file, 0o755);
}

async function unpackPackage(name, folder, note) {
  const script = join(folder, 'bin', name);
  if (await isRunnable(script)) return script;
  const root = await unpackDebianPackages([name, ...SHARED_PACKAGES], folder, note);
  if (root === undefined) return undefined;
  writeStartScript(root, name, script);
  return (await isRunnable(script)) ? script : undefined;
}

async function unpackChromium(folder, note) {
  for (const name of DEBIAN_PACKAGES) {
    const script = await unpackPackage(name, join(folder, name), note);
    if (script !== undefined) return script;
  }
  return undefined;
}

/**
 * Returns the path of a Chromium: `CHROMIUM`, an executable on the PATH, or Debian's package, which it unpacks below
 * `folder` without root. Throws PlainError with what to install.
 */
export async function findChromium(note, folder = UNPACKED_FOLDER) {
  const found = process.env.CHROMIUM ?? (await findOnPath()) ?? (await unpackChromium(folder, note));
  if (found === undefined) throw new PlainError(INSTALL_HINT);
  return found;
}
