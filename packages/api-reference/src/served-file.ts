import { createHash } from 'node:crypto';
import { type ContentEncoding, EncodedBody } from '@gateway/serving';

/** A file that browsers cache by its hash and receive compressed. */
export interface ServedFile {
  readonly type: string;
  /** Strong: the bytes of each encoding have a tag of their own (RFC 9110, 8.8.3.3). */
  readonly etagIn: (encoding: ContentEncoding) => string;
  readonly body: EncodedBody;
}

export function servedFile(type: string, text: string): ServedFile {
  const plain = Buffer.from(text);
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
  return { type, etagIn: (encoding) => `"${hash}-${encoding}"`, body: new EncodedBody(plain) };
}
