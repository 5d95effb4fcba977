import { createHash } from 'node:crypto';
import type { ValidRequest } from '../edge-request.js';

export type FingerprintedRequest = Pick<ValidRequest, 'endpoint' | 'forward' | 'body' | 'clientBody'>;

/** Forwarded headers that change the response. The others only identify a session. */
const CHANGES_RESPONSE = /^anthropic-/;

/**
 * SHA-256, in hex, of everything that decides the response. It covers the bytes of JSON. Of a form it covers every field
 * and every byte of a file, but neither the boundary nor the file names.
 */
export async function fingerprintOf({ endpoint, forward, body, clientBody }: FingerprintedRequest): Promise<string> {
  const headers = Object.entries(forward?.headers ?? {}).filter(([name]) => CHANGES_RESPONSE.test(name));
  const hash = createHash('sha256').update(JSON.stringify([endpoint, headers.sort(), forward?.query ?? '']));
  if (clientBody !== undefined) hash.update(clientBody);
  else if (Buffer.isBuffer(body)) hash.update(body);
  else for await (const chunk of body.read()) hash.update(chunk);
  return hash.digest('hex');
}
