import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** All files that the launcher creates. Delete the folder for a fresh start. */
export const localFolder = join(projectRoot, '.local');

export const gatewayFile = join(localFolder, 'gateway.json');

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));

/** The pnpm version of `packageManager` in package.json, which wrote the lockfile. */
export const pnpmVersion = manifest.packageManager.split('@')[1];

export const requiredNodeMajor = 26;
