/** A tool of the client whose calls have another form than the function that is sent for it. */
export interface ClientTool {
  readonly kind: 'function' | 'custom' | 'local_shell';
  readonly name: string;
  readonly namespace?: string;
}

/** By the name that is sent. */
export type ClientTools = ReadonlyMap<string, ClientTool>;

const SEPARATOR = '__';

/** One name for a tool of a namespace: most vendors have none. */
export function sentName(namespace: string | null | undefined, name: string): string {
  if (namespace == null || namespace === '') return name;
  return namespace.endsWith(SEPARATOR) ? `${namespace}${name}` : `${namespace}${SEPARATOR}${name}`;
}

export const LOCAL_SHELL = 'local_shell';
