import { inThread } from '@gateway/threads';
import { parseMessage as parse } from './parse-message.js';

/* The handler of long messages. A thread runs this file by its path. */

export const parseMessage = inThread((body: Uint8Array) =>
  parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength)),
);
