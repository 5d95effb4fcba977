import { createHash } from 'node:crypto';

/** Levels: how far from grey, in the steps of the encoder's quantiser. */
export interface Colours {
  readonly paper: number;
  /** How much darker the ink is. */
  readonly ink: number;
  readonly blue: number;
  readonly red: number;
}

/** One picture as the encoder takes it: blocks of sixteen by sixteen dots, each in one of two colours. */
export interface Scene {
  readonly columns: number;
  readonly rows: number;
  /** 1: ink, 0: paper; row by row. */
  readonly cells: Uint8Array;
  readonly colours: Colours;
}

const PALEST = 5;
const TINTS = [-5, -4, -3, -2, 2, 3, 4, 5];
const INK = 13;

/** Light paper that depends on the text only, and dark ink of the same tint. */
export function coloursOf(text: string): Colours {
  const [light = 0, blue = 0, red = 0] = createHash('sha1').update(text).digest();
  return {
    paper: PALEST + (light % 4),
    ink: INK,
    blue: TINTS[blue % TINTS.length] ?? 0,
    red: TINTS[red % TINTS.length] ?? 0,
  };
}
