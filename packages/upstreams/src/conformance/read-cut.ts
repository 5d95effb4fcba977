import type { StreamReader } from '../protocol.js';

/** Reads the bytes in chunks between the cuts, and returns all bytes for the client. */
export function readCut(reader: StreamReader, bytes: Buffer, cuts: readonly number[]): string {
  const written: Buffer[] = [];
  let start = 0;
  for (const cut of [...cuts, bytes.length]) {
    // Overwritten after each read: a reader must not keep the memory of its caller.
    const chunk = Buffer.from(bytes.subarray(start, cut));
    written.push(Buffer.from(reader.read(chunk)));
    chunk.fill(0);
    start = cut;
  }
  return Buffer.concat([...written, reader.end()]).toString('utf8');
}
