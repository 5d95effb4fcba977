import { createHash } from 'node:crypto';
import type { ValidRequest } from '../edge-request.js';

/** Of the forwarded headers these choose what is answered; the others follow a session. */
const CHOOSES = /^anthropic-/;

/**
 * SHA-256 of all that decides the answer. A JSON body counts as its bytes; a form as what the edge made of it, so that
 * neither its boundary nor the names of its files count, but every field and every byte of a file does.
 */
export async function fingerprintOf({ endpoint, forward, body, sentBody }: FingerprintedRequest): Promise<string> {
  const headers = Object.entries(forward?.headers ?? {}).filter(([name]) => CHOOSES.test(name));
  const hash = createHash('sha256').update(JSON.stringify([endpoint, headers.sort(), forward?.query ?? '']));
  if (sentBody !== undefined) hash.update(sentBody);
  else if (Buffer.isBuffer(body)) hash.update(body);
  else for await (const piece of body.read()) hash.update(piece);
  return hash.digest('hex');
}

export type FingerprintedRequest = Pick<ValidRequest, 'endpoint' | 'forward' | 'body' | 'sentBody'>;
