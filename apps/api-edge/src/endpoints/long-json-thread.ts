import { ownBytes, parseJsonBody, readJson as read } from '@gateway/intake';
import { inThread } from '@gateway/threads';
import { quoteLines as quote } from './batches/quote-lines.js';

/* The handlers of `LongJson` and of `QuoteBatch`. A thread runs this file by its path. */

export const readJson = inThread(read, ({ bytes }) => [bytes.buffer]);

export const parseJson = inThread(
  (body: Uint8Array<ArrayBuffer>) => {
    const { fields, bytes } = parseJsonBody(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
    return { fields, bytes: ownBytes(bytes) };
  },
  ({ bytes }) => [bytes.buffer],
);

export const encodeJson = inThread(
  (value: object) => ownBytes(Buffer.from(JSON.stringify(value))),
  (bytes) => [bytes.buffer],
);

export const quoteLines = inThread(quote);
