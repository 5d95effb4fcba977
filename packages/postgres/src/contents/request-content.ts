import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;

/** One side of a request. */
export interface ContentPart {
  /** A media type; empty: unknown. */
  readonly contentType: string;
  readonly bytes: Buffer;
  /** Only the beginning was kept. */
  readonly isTruncated: boolean;
}

/** What a client sent and what it got. */
export interface RequestContent {
  /** Null: a form with files, of which nothing is kept. */
  readonly request: ContentPart | null;
  readonly response: ContentPart | null;
  /** The response is kept as the result of the request, and is not here. */
  readonly isResult: boolean;
  /** The response ended as its upstream ended it. */
  readonly isComplete: boolean;
}

/** Whose content it is. It is sealed in, so that no other row can show it. */
export interface ContentPlace {
  readonly accountId: string;
  readonly requestId: string;
}

const part = z.object({ contentType: z.string(), length: z.int(), isTruncated: z.boolean() }).nullable();
const head = z.object({ request: part, response: part, isResult: z.boolean(), isComplete: z.boolean() });

const headOf = (given: ContentPart | null): z.input<typeof part> =>
  given === null
    ? null
    : { contentType: given.contentType, length: given.bytes.length, isTruncated: given.isTruncated };

const placeBytes = ({ accountId, requestId }: ContentPlace) => Buffer.from(`${accountId}/${requestId}`);

/** `key`: 32 bytes, the key of the account. */
export function sealContent(content: RequestContent, key: Buffer, place: ContentPlace): Buffer {
  const { request, response, isResult, isComplete } = content;
  const fields = { request: headOf(request), response: headOf(response), isResult, isComplete };
  const json = Buffer.from(JSON.stringify(fields satisfies z.input<typeof head>));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(placeBytes(place));
  const parts = [length, json, request?.bytes, response?.bytes].filter((bytes) => bytes !== undefined);
  return Buffer.concat([iv, ...parts.map((bytes) => cipher.update(bytes)), cipher.final(), cipher.getAuthTag()]);
}

/** Throws if the key, the account or the request is another one, or a byte has changed. */
export function openContent(sealed: Buffer, key: Buffer, place: ContentPlace): RequestContent {
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(placeBytes(place))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  const opened = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
  let from = LENGTH_BYTES + opened.readUInt32BE(0);
  const parsed = head.parse(JSON.parse(opened.subarray(LENGTH_BYTES, from).toString()));
  const take = (given: z.output<typeof part>): ContentPart | null => {
    if (given === null) return null;
    const bytes = opened.subarray(from, from + given.length);
    from += given.length;
    return { contentType: given.contentType, bytes, isTruncated: given.isTruncated };
  };
  return { ...parsed, request: take(parsed.request), response: take(parsed.response) };
}
