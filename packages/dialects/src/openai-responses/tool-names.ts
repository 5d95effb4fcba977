import { createHash } from 'node:crypto';

/** A tool of the client whose calls have another form than the function that is sent for it. */
export interface ClientTool {
  readonly kind: 'function' | 'custom' | 'local_shell';
  readonly name: string;
  readonly namespace?: string;
}

/** By the name that is sent. */
export type ClientTools = ReadonlyMap<string, ClientTool>;

/** Vendors allow as many characters. */
const MAX_NAME_CHARACTERS = 64;
const HASH_CHARACTERS = 8;
const SEPARATOR = '__';

/** One name for a tool of a namespace: most vendors have none. A long one is cut, and stays unique by its hash. */
export function sentName(namespace: string | null | undefined, name: string): string {
  if (namespace == null || namespace === '') return name;
  const full = namespace.endsWith(SEPARATOR) ? `${namespace}${name}` : `${namespace}${SEPARATOR}${name}`;
  if (full.length <= MAX_NAME_CHARACTERS) return full;
  const hash = createHash('sha256').update(full).digest('hex').slice(0, HASH_CHARACTERS);
  return `${full.slice(0, MAX_NAME_CHARACTERS - HASH_CHARACTERS - 1)}_${hash}`;
}

export const LOCAL_SHELL = 'local_shell';
