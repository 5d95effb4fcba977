import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { StoredAnswer } from './begin.js';
import type { PackedAnswer } from './keep.js';
import type { KeptAnswer } from './turn.js';

const GZIP_FROM_BYTES = 4 * 1024;

/** Answers are text for the most part; a short one, or one that gzip makes no shorter, is stored as it is. */
export async function packAnswer({ status, contentType, body }: KeptAnswer): Promise<PackedAnswer> {
  if (body === undefined) return { status, contentType };
  const zipped = body.length < GZIP_FROM_BYTES ? body : await promisify(gzip)(body);
  const stored =
    zipped.length < body.length
      ? ({ encoding: 'gzip', bytes: zipped } as const)
      : ({ encoding: 'identity', bytes: body } as const);
  return { status, contentType, body: stored };
}

export async function unpackBody({ encoding, body }: StoredAnswer): Promise<Buffer> {
  return encoding === 'gzip' ? promisify(gunzip)(body) : body;
}
