import { createHash } from 'node:crypto';
import { EncodedBody } from '@gateway/serving';

/** A file that browsers cache by its hash and receive compressed. */
export interface ServedFile {
  readonly type: string;
  readonly etag: string;
  readonly body: EncodedBody;
}

export function servedFile(type: string, text: string): ServedFile {
  const plain = Buffer.from(text);
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { type, etag, body: new EncodedBody(plain) };
}
