/** Red, green, blue. */
export type Colour = readonly [number, number, number];

/** A picture as its encoders take it: blocks of eight by eight dots, each in one of two colours. */
export interface Blocks {
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
  /** 1: ink, 0: paper; row by row. */
  readonly cells: Uint8Array;
  readonly paper: Colour;
  readonly ink: Colour;
  readonly isTransparent: boolean;
}

export const BLOCK_DOTS = 8;
