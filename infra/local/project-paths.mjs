import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** All files of the launcher are below this folder; deleting it is a fresh start. */
export const localFolder = join(projectRoot, '.local');

export const gatewayFile = join(localFolder, 'gateway.json');

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));

/** The exact pnpm version of the lockfile, from `packageManager`. */
export const pnpmVersion = manifest.packageManager.split('@')[1];

export const requiredNodeMajor = 26;
