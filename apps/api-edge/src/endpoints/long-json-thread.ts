import { ownBytes, parseJsonBody, readJson as read } from '@gateway/intake';
import { inThread } from '@gateway/threads';

/* The handlers of `LongJson`. A thread runs this file by its path. */

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
