import { createRequire } from 'node:module';

const { version } = createRequire(import.meta.url)('../package.json') as { readonly version: string };

/** The version of this code: all packages of a release share one. */
export const RELEASE = version;
