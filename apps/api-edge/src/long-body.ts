import type { ValidRequest } from './edge-request.js';

/** Shorter bodies need no room in a worker. */
const LONG_BYTES = 1024 * 1024;

/** The length of a body for which a worker of videos makes room before its claim. Undefined: it is short. */
export function longBodyBytes({ body }: Pick<ValidRequest, 'body'>): number | undefined {
  const bytes = Buffer.isBuffer(body) ? body.length : body.bytes;
  return bytes > LONG_BYTES ? bytes : undefined;
}
