import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { PackedClaimReply } from './claim.js';
import type { PackedBody } from './complete.js';
import type { SpilledBody } from './idempotency-claim.js';

const GZIP_FROM_BYTES = 4 * 1024;

/** Compresses a body of 4 KiB or more, unless gzip makes it no shorter. */
export async function packBody(body: Buffer | SpilledBody | undefined): Promise<PackedBody | undefined> {
  if (body === undefined) return undefined;
  if (!Buffer.isBuffer(body)) return { encoding: 'spilled', spilledBytes: body.spilledBytes };
  const zipped = body.length < GZIP_FROM_BYTES ? body : await promisify(gzip)(body);
  return zipped.length < body.length ? { encoding: 'gzip', bytes: zipped } : { encoding: 'identity', bytes: body };
}

export async function unpackBody({ encoding, body }: PackedClaimReply): Promise<Buffer | SpilledBody> {
  if (encoding === 'spilled') return { spilledBytes: Number(body) };
  return encoding === 'gzip' ? promisify(gunzip)(body) : body;
}
