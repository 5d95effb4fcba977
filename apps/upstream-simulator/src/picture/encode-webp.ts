import { BitWriter } from './bit-writer.js';
import { BLOCK_DOTS, type Blocks } from './blocks.js';

const SIGNATURE = 0x2f;
const COLOUR_INDEXING = 3;
/** Eight dots of a palette of two share one pixel, whose green holds their bits: a block's row is 0x00 or 0xff. */
const PAPER_BITS = 0x00;
const INK_BITS = 0xff;

/** A code of one symbol needs no bit in the data, one of two symbols needs one. */
function writeCode(writer: BitWriter, symbols: readonly number[]): void {
  writer.write(1, 1);
  writer.write(symbols.length - 1, 1);
  writer.write(1, 1);
  for (const symbol of symbols) {
    writer.write(symbol, 8);
  }
}

type Argb = readonly [alpha: number, red: number, green: number, blue: number];

const distinct = (first: number, second: number): number[] =>
  first === second ? [first] : [Math.min(first, second), Math.max(first, second)];

/** The palette as a picture of two pixels, the second one as its difference from the first. */
function writePalette(writer: BitWriter, paper: Argb, ink: Argb): void {
  const difference = ink.map((value, at) => (value - (paper[at] ?? 0)) & 0xff);
  const order = [2, 1, 3, 0];
  const codes = order.map((at) => distinct(paper[at] ?? 0, difference[at] ?? 0));
  writer.write(0, 1);
  for (const code of [...codes, [0]]) {
    writeCode(writer, code);
  }
  for (const pixel of [paper, difference]) {
    order.forEach((at, place) => {
      const code = codes[place] ?? [];
      if (code.length === 2) {
        writer.write(code.indexOf(pixel[at] ?? 0), 1);
      }
    });
  }
}

function bitstream(blocks: Blocks): Buffer {
  const { width, height, columns, rows, cells, paper, ink, isTransparent } = blocks;
  const writer = new BitWriter('lowest-first', (columns * height) / 8 + 128);
  writer.write(SIGNATURE, 8);
  writer.write(width - 1, 14);
  writer.write(height - 1, 14);
  writer.write(isTransparent ? 1 : 0, 1);
  writer.write(0, 3);
  writer.write(1, 1);
  writer.write(COLOUR_INDEXING, 2);
  writer.write(1, 8);
  writePalette(writer, [isTransparent ? 0 : 255, ...paper], [255, ...ink]);
  // No more transforms, no cache of colours, one set of codes for the whole picture.
  writer.write(0, 3);
  for (const code of [[PAPER_BITS, INK_BITS], [0], [0], [0], [0]]) {
    writeCode(writer, code);
  }
  for (let row = 0; row < rows; row += 1) {
    const lines = Math.min(BLOCK_DOTS, height - row * BLOCK_DOTS);
    for (let line = 0; line < lines; line += 1) {
      for (let column = 0; column < columns; column += 1) {
        writer.write(cells[row * columns + column] ?? 0, 1);
      }
    }
  }
  return writer.end();
}

/** A lossless WebP. Format: developers.google.com/speed/webp/docs/webp_lossless_bitstream_specification. */
export function encodeWebp(blocks: Blocks): Buffer {
  const data = bitstream(blocks);
  const padding = data.length % 2;
  const head = Buffer.alloc(20);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(12 + data.length + padding, 4);
  head.write('WEBPVP8L', 8, 'latin1');
  head.writeUInt32LE(data.length, 16);
  return Buffer.concat([head, data, Buffer.alloc(padding)]);
}
