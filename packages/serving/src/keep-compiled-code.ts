import { setFlagsFromString } from 'node:v8';

/** More collections than a process has before it is replaced. */
const COLLECTIONS = 1_000_000;
/** The longest delay that the flag takes: 24 days. */
const NEVER_MS = 2_147_483_647;

/**
 * Call it once, as the process begins. V8 discards compiled code as soon as no object has a shape that the code knows, and
 * between two requests there is none. With the first flag shapes stay. The second ends the collections by which V8 gives
 * memory back at rest: they forget shapes all the same. A V8 without a flag writes a warning to stderr and continues.
 */
export const keepCompiledCode = (): void =>
  setFlagsFromString(`--retain-maps-for-n-gc=${COLLECTIONS} --memory-reducer-delay-ms=${NEVER_MS}`);
