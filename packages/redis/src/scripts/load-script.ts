import { readFileSync } from 'node:fs';

/** The same from `src` and from `dist`: both are siblings of `scripts`. */
const FOLDER = new URL('../../scripts/', import.meta.url);
const INCLUDE = /^-- include (\S+)$/gm;

const read = (path: string): string => readFileSync(new URL(path, FOLDER), 'utf8');

/** The text of `scripts/<path>.lua`; each line `-- include x.lua` becomes `scripts/shared/x.lua`. Throws if one is missing. */
export const loadScript = (path: string): string =>
  read(`${path}.lua`).replace(INCLUDE, (_line, shared: string) => read(`shared/${shared}`));
