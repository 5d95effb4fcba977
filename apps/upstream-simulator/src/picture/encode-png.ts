import { crc32, deflateSync } from 'node:zlib';
import { BLOCK_DOTS, type Blocks } from './blocks.js';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BIT_DEPTH = 1;
const PALETTE = 3;
/** The row is the difference from the row above: rows inside a block are zeros then, which cost nearly nothing. */
const FILTER_UP = 2;

function chunk(name: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(data.length + 12);
  whole.writeUInt32BE(data.length, 0);
  whole.write(name, 4, 'latin1');
  data.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, data.length + 8)), data.length + 8);
  return whole;
}

function header({ width, height }: Blocks): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data[8] = BIT_DEPTH;
  data[9] = PALETTE;
  return data;
}

/** One bit a dot, so that a block is a byte; only the first line of a row of blocks can differ from the one above it. */
function scanLines({ columns, rows, height, cells }: Blocks): Buffer {
  const lineBytes = columns + 1;
  const lines = Buffer.alloc(lineBytes * height);
  for (let y = 0; y < height; y += 1) {
    lines[y * lineBytes] = FILTER_UP;
  }
  for (let row = 0; row < rows; row += 1) {
    const line = row * BLOCK_DOTS * lineBytes + 1;
    for (let column = 0; column < columns; column += 1) {
      const above = cells[(row - 1) * columns + column] ?? 0;
      const here = cells[row * columns + column] ?? 0;
      // 0xff after 0x00, or 0x00 after 0xff, both modulo 256.
      lines[line + column] = (here - above) * 0xff;
    }
  }
  return lines;
}

/** A PNG of two colours. Format: w3.org/TR/png-3. */
export const encodePng = (blocks: Blocks): Buffer =>
  Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header(blocks)),
    chunk('PLTE', Buffer.from([...blocks.paper, ...blocks.ink])),
    ...(blocks.isTransparent ? [chunk('tRNS', Buffer.from([0, 255]))] : []),
    chunk('IDAT', deflateSync(scanLines(blocks), { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
