import { RbspWriter } from './rbsp-writer.js';
import type { Scene } from './scene.js';

/*
 * H.264, baseline profile, in the narrowest way that any player knows (ITU-T H.264, sections 7.3, 8.3, 9.1 and 9.2): every block
 * is one colour, predicted from the block beside or above it; where it differs, one number says by how much.
 */

const HEADS = { sequence: 0x67, picture: 0x68, key: 0x65, delta: 0x41 } as const;
const BASELINE = 66;
/** Plays in main-profile decoders too. */
const CONSTRAINTS = 0xc0;
const FRAME_NUMBER_BITS = 8;
/** A step of this quantiser is exactly ten of the 256 steps of light, and seven of colour: nothing is ever rounded. */
const QUANTISER = 48;
const QUANTISER_BASE = 26;
const MACROBLOCK_DOTS = 16;
const CROP_DOTS = 2;

const KEY_SLICE = 7;
const DELTA_SLICE = 5;
const NO_DEBLOCKING = 1;

/** mb_type of a block of one colour, by where its colour comes from; plus four if its tint is told. */
const FROM_ABOVE = 1;
const FROM_LEFT = 2;
const FROM_GREY = 3;
const WITH_TINT = 4;
/** intra_chroma_pred_mode for the same. */
const TINT_FROM = { [FROM_GREY]: 0, [FROM_LEFT]: 1, [FROM_ABOVE]: 2 } as const;

/** Level, blocks in a frame and blocks in a second that a decoder of it takes (table A-1). */
const LEVELS: readonly (readonly [level: number, blocks: number, perSecond: number])[] = [
  [30, 1_620, 40_500],
  [31, 3_600, 108_000],
  [32, 5_120, 216_000],
  [40, 8_192, 245_760],
  [50, 22_080, 589_824],
  [51, 36_864, 983_040],
];

interface Format {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
}

const levelOf = (blocks: number, framesPerSecond: number): number =>
  LEVELS.find(([, most, perSecond]) => blocks <= most && blocks * framesPerSecond <= perSecond)?.[0] ?? 52;

/** What a decoder must know before the first frame: `[sequence, picture]`. */
export function parameterSets({ width, height, framesPerSecond }: Format): readonly [Buffer, Buffer] {
  const columns = Math.ceil(width / MACROBLOCK_DOTS);
  const rows = Math.ceil(height / MACROBLOCK_DOTS);
  const sequence = new RbspWriter().bits(BASELINE, 8).bits(CONSTRAINTS, 8);
  sequence.bits(levelOf(columns * rows, framesPerSecond), 8).unsigned(0);
  sequence.unsigned(FRAME_NUMBER_BITS - 4);
  // Frames are shown in the order in which they come, and refer to the one before them.
  sequence.unsigned(2).unsigned(1).bits(0, 1);
  sequence.unsigned(columns - 1).unsigned(rows - 1);
  sequence.bits(0b11, 2).bits(1, 1).unsigned(0);
  sequence.unsigned((columns * MACROBLOCK_DOTS - width) / CROP_DOTS).unsigned(0);
  sequence.unsigned((rows * MACROBLOCK_DOTS - height) / CROP_DOTS).bits(0, 1);
  const picture = new RbspWriter().unsigned(0).unsigned(0).bits(0, 2).unsigned(0).unsigned(0).unsigned(0);
  picture
    .bits(0, 3)
    .signed(QUANTISER - QUANTISER_BASE)
    .signed(0)
    .signed(0);
  picture.bits(0b100, 3);
  return [sequence.end(HEADS.sequence), picture.end(HEADS.picture)];
}

/** The one coefficient of a block: its token, its level (9.2.2; never 1, which has a code of its own) and no zeros before it. */
function writeLevel(slice: RbspWriter, token: readonly [value: number, bits: number], level: number): void {
  const code = level > 0 ? 2 * level - 4 : -2 * level - 3;
  slice.bits(...token);
  if (code < 14) {
    slice.bits(1, code + 1);
  } else {
    slice.bits(1, 15).bits(code - 14, 4);
  }
  slice.bits(1, 1);
}

const ONE_LIGHT = [0b000101, 6] as const;
const ONE_TINT = [0b000111, 6] as const;

/** Where a block's colour is taken from, and what is still missing. */
function writeBlock(slice: RbspWriter, source: keyof typeof TINT_FROM, light: number, tint?: [number, number]): void {
  slice
    .unsigned(tint === undefined ? source : source + WITH_TINT)
    .unsigned(TINT_FROM[source])
    .signed(0);
  if (light === 0) {
    slice.bits(1, 1);
  } else {
    writeLevel(slice, ONE_LIGHT, light);
  }
  for (const level of tint ?? []) {
    writeLevel(slice, ONE_TINT, level);
  }
}

/** A frame that needs no other one. `index`: neighbours must have unlike ones. */
export function pictureFrame({ columns, rows, cells, colours }: Scene, index: number): Buffer {
  const slice = new RbspWriter().unsigned(0).unsigned(KEY_SLICE).unsigned(0).bits(0, FRAME_NUMBER_BITS);
  slice
    .unsigned(index % 2)
    .bits(0, 2)
    .signed(0)
    .unsigned(NO_DEBLOCKING);
  const lightAt = (at: number): number => colours.paper - (cells[at] ?? 0) * colours.ink;
  for (let at = 0; at < columns * rows; at += 1) {
    if (at === 0) {
      writeBlock(slice, FROM_GREY, lightAt(0), [colours.blue, colours.red]);
    } else if (at % columns === 0) {
      writeBlock(slice, FROM_ABOVE, lightAt(at) - lightAt(at - columns));
    } else {
      writeBlock(slice, FROM_LEFT, lightAt(at) - lightAt(at - 1));
    }
  }
  return slice.end(HEADS.key);
}

/** A frame in which all `blocks` are as before. `number`: its place after the last picture. */
export function blankFrame(blocks: number, number: number): Buffer {
  const slice = new RbspWriter().unsigned(0).unsigned(DELTA_SLICE).unsigned(0);
  slice
    .bits(number % 2 ** FRAME_NUMBER_BITS, FRAME_NUMBER_BITS)
    .bits(0, 3)
    .signed(0)
    .unsigned(NO_DEBLOCKING);
  return slice.unsigned(blocks).end(HEADS.delta);
}
