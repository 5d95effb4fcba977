import { BitWriter } from './bit-writer.js';
import type { Blocks, Colour } from './blocks.js';

/** The mean of a block is its only coefficient: quantised by eight it is the sample itself, less 128. */
const QUANTISER = 8;
const SAMPLE_MIDDLE = 128;
const COMPONENTS = 3;

/** Huffman table of the means' differences: how many codes of each length, then the bit counts they stand for. */
const DC_LENGTHS = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0];
const DC_CATEGORIES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
/** The only other word that is ever said: the block ends here, one bit long. */
const AC_LENGTHS = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

interface Code {
  readonly value: number;
  readonly bits: number;
}

function canonicalCodes(lengths: readonly number[]): readonly Code[] {
  const codes: Code[] = [];
  let value = 0;
  lengths.forEach((count, at) => {
    for (let index = 0; index < count; index += 1) {
      codes.push({ value, bits: at + 1 });
      value += 1;
    }
    value <<= 1;
  });
  return codes;
}

const DC_CODES = canonicalCodes(DC_LENGTHS);

/** JFIF's luminance and two chrominances. */
const samplesOf = ([red, green, blue]: Colour): readonly number[] =>
  [
    0.299 * red + 0.587 * green + 0.114 * blue,
    SAMPLE_MIDDLE - 0.168736 * red - 0.331264 * green + 0.5 * blue,
    SAMPLE_MIDDLE + 0.5 * red - 0.418688 * green - 0.081312 * blue,
  ].map((sample) => Math.min(255, Math.round(sample)) - SAMPLE_MIDDLE);

const segment = (marker: number, data: readonly number[]): Buffer =>
  Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff, ...data]);

const high = (value: number): number => value >> 8;
const low = (value: number): number => value & 0xff;

const heads = ({ width, height }: Blocks): Buffer[] => [
  Buffer.from([0xff, 0xd8]),
  segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
  segment(0xdb, [0, ...new Array<number>(64).fill(QUANTISER)]),
  segment(0xc0, [
    8,
    high(height),
    low(height),
    high(width),
    low(width),
    COMPONENTS,
    1,
    0x11,
    0,
    2,
    0x11,
    0,
    3,
    0x11,
    0,
  ]),
  segment(0xc4, [0x00, ...DC_LENGTHS, ...DC_CATEGORIES]),
  segment(0xc4, [0x10, ...AC_LENGTHS, 0]),
  segment(0xda, [COMPONENTS, 1, 0, 2, 0, 3, 0, 0, 63, 0]),
];

function writeDifference(writer: BitWriter, difference: number): void {
  const size = difference === 0 ? 0 : 32 - Math.clz32(Math.abs(difference));
  const { value, bits } = DC_CODES[size] as Code;
  writer.write(value, bits);
  if (size > 0) {
    writer.write(difference > 0 ? difference : difference + (1 << size) - 1, size);
  }
  writer.write(0, 1);
}

/** A baseline JPEG. Format: w3.org/Graphics/JPEG/itu-t81.pdf. */
export function encodeJpeg(blocks: Blocks): Buffer {
  const colours = [samplesOf(blocks.paper), samplesOf(blocks.ink)];
  const writer = new BitWriter('highest-first', blocks.cells.length * 2, 0);
  let before: readonly number[] = [0, 0, 0];
  for (const cell of blocks.cells) {
    const samples = colours[cell] as readonly number[];
    for (let component = 0; component < COMPONENTS; component += 1) {
      writeDifference(writer, (samples[component] ?? 0) - (before[component] ?? 0));
    }
    before = samples;
  }
  return Buffer.concat([...heads(blocks), writer.end(), Buffer.from([0xff, 0xd9])]);
}
