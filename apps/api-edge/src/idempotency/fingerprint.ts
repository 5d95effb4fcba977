import { createHash } from 'node:crypto';
import type { NewIdempotencyClaim } from '@gateway/redis';
import type { ValidRequest } from '../edge-request.js';
import { updateInSlices } from '../http/update-in-slices.js';

export type FingerprintedRequest = Pick<ValidRequest, 'endpoint' | 'model' | 'forward' | 'body' | 'clientBody'>;

/** Forwarded headers that change the response. The others only identify a session. */
const CHANGES_RESPONSE = /^anthropic-/;

/**
 * SHA-256, in hex, of everything that decides the response. It covers the bytes of JSON. Of a form it covers every field
 * and every byte of a file, but neither the boundary nor the file names.
 */
export async function fingerprintOf(request: FingerprintedRequest): Promise<string> {
  const { endpoint, model, forward, body, clientBody } = request;
  const headers = Object.entries(forward?.headers ?? {}).filter(([name]) => CHANGES_RESPONSE.test(name));
  // A path may name the model.
  const head = [endpoint, model.id, headers.sort(), forward?.query ?? ''];
  const hash = createHash('sha256').update(JSON.stringify(head));
  const bytes = clientBody ?? body;
  if (Buffer.isBuffer(bytes)) await updateInSlices(hash, bytes);
  else for await (const chunk of bytes.read()) hash.update(chunk);
  return hash.digest('hex');
}

/** Names one piece of work of an account in its settlement: its key and what it requested, as a SHA-256 in hex. */
export const idempotencyHashOf = ({
  keySha256,
  fingerprint,
}: Pick<NewIdempotencyClaim, 'keySha256' | 'fingerprint'>): string =>
  createHash('sha256').update(`${keySha256}:${fingerprint}`).digest('hex');
