const LF = 0x0a;
const SPACE = 0x20;
const LINE_END = Buffer.from('\n');
const DATA_FIELD = Buffer.from('data:');
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** One server-sent event, or a block of comments. */
export interface SseEvent {
  /** All bytes including the final blank line. Line ends are LF. */
  readonly raw: Buffer;
  /** `event` field; empty if absent. */
  readonly name: string;
  /** `data` lines joined by LF; undefined if there are none. */
  readonly data: Buffer | undefined;
  /** Index of `data` in `raw`; -1 if it was joined from several lines. */
  readonly dataOffset: number;
}

/** A loop: `Buffer.compare` costs more for a few bytes. */
function startsWith(bytes: Buffer, prefix: Buffer): boolean {
  for (let index = 0; index < prefix.length; index += 1) if (bytes[index] !== prefix[index]) return false;
  return true;
}

/** Removes a byte order mark, which may precede the first event. */
export const stripByteOrderMark = (raw: Buffer): Buffer =>
  startsWith(raw, BYTE_ORDER_MARK) ? raw.subarray(BYTE_ORDER_MARK.length) : raw;

/** Parses one block. Fast path: a single `data` line needs only a search for its end. */
export function parseSseEvent(raw: Buffer): SseEvent {
  if (startsWith(raw, DATA_FIELD) && raw.indexOf(LF) === raw.length - 2) {
    const dataOffset = raw[DATA_FIELD.length] === SPACE ? DATA_FIELD.length + 1 : DATA_FIELD.length;
    return { raw, name: '', data: raw.subarray(dataOffset, raw.length - 2), dataOffset };
  }
  return parseLines(raw);
}

interface Field {
  readonly name: string;
  readonly value: Buffer;
  readonly valueStart: number;
}

function readField(line: Buffer): Field {
  const colon = line.indexOf(':');
  if (colon === -1)
    return { name: line.toString('latin1'), value: line.subarray(line.length), valueStart: line.length };
  const valueStart = colon + (line[colon + 1] === SPACE ? 2 : 1);
  return { name: line.toString('latin1', 0, colon), value: line.subarray(valueStart), valueStart };
}

function parseLines(raw: Buffer): SseEvent {
  let name = '';
  const data: Buffer[] = [];
  let dataOffset = -1;
  for (let start = 0, end = 0; start < raw.length; start = end + 1) {
    end = raw.indexOf(LF, start);
    const field = readField(raw.subarray(start, end));
    if (field.name === 'event') name = field.value.toString('utf8');
    if (field.name !== 'data') continue;
    data.push(field.value);
    dataOffset = data.length === 1 ? start + field.valueStart : -1;
  }
  return { raw, name, data: joinLines(data), dataOffset };
}

function joinLines(lines: readonly Buffer[]): Buffer | undefined {
  return lines.length < 2
    ? lines[0]
    : Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [LINE_END, line])));
}
