/** A line of the input, from 1. `bytes` is undefined for one that is too long. */
export interface InputLine {
  readonly number: number;
  readonly bytes: Buffer | undefined;
}

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** The longest body of an endpoint, and room for the rest of the line. */
export const MAX_LINE_BYTES = 65 * 1024 * 1024;

/** Splits bytes into their lines, wherever the chunks are cut. Holds one line. Skips empty lines, but counts them. */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  maxBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<InputLine> {
  let parts: Buffer[] = [];
  let length = 0;
  let number = 1;
  const take = (part: Buffer): void => {
    length += part.length;
    if (length <= maxBytes) parts.push(part);
    else parts = [];
  };
  const finish = (): InputLine | undefined => {
    const line = { number, bytes: length > maxBytes ? undefined : withoutMark(Buffer.concat(parts), number) };
    parts = [];
    length = 0;
    number += 1;
    return line.bytes !== undefined && isBlank(line.bytes) ? undefined : line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, end));
      const line = finish();
      if (line !== undefined) yield line;
      start = end + 1;
    }
    take(chunk.subarray(start));
  }
  const last = length === 0 ? undefined : finish();
  if (last !== undefined) yield last;
}

const withoutMark = (bytes: Buffer, number: number): Buffer =>
  number === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
