import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const folder = dirname(createRequire(import.meta.url).resolve('@gateway/docs/package.json'));

/** Where a file below `docs/` is. */
export const documentPath = (path: string): string => join(folder, path);

/** The text of a file below `docs/`. */
export const documentFile = (path: string): string => readFileSync(documentPath(path), 'utf8');
