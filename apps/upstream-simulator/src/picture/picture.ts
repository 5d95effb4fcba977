import { createCipheriv, createHash } from 'node:crypto';
import { BLOCK_DOTS, type Colour } from './blocks.js';
import { drawText } from './draw-text.js';
import { encodeJpeg } from './encode-jpeg.js';
import { encodePng } from './encode-png.js';
import { encodeWebp } from './encode-webp.js';

export type PictureFormat = 'png' | 'jpeg' | 'webp';

/** All that a picture is made of: small enough to be kept in place of its bytes. */
export interface Picture {
  readonly text: string;
  readonly width: number;
  readonly height: number;
  readonly format: PictureFormat;
  /** Only PNG and WebP can be. */
  readonly isTransparent?: boolean;
  /** A shorter file is followed by noise, which viewers leave alone. */
  readonly bytesAtLeast?: number | undefined;
}

const INK: Colour = [24, 24, 32];

/** A light colour that depends on the text only. */
const paperOf = (text: string): Colour => {
  const [red = 0, green = 0, blue = 0] = createHash('sha1').update(text).digest();
  return [160 + (red % 96), 160 + (green % 96), 160 + (blue % 96)];
};

const ENCODERS = { png: encodePng, jpeg: encodeJpeg, webp: encodeWebp } as const;

export const MEDIA_TYPES = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;

/** Bytes that no packing makes fewer, the same for the same text. */
const noiseOf = (text: string, bytes: number): Buffer =>
  createCipheriv('aes-128-ctr', createHash('md5').update(text).digest(), Buffer.alloc(16)).update(Buffer.alloc(bytes));

/** The picture's bytes: the text that was asked for, written on coloured paper. */
export function renderPicture(picture: Picture): Buffer {
  const file = encode(picture);
  const missing = (picture.bytesAtLeast ?? 0) - file.length;
  return missing > 0 ? Buffer.concat([file, noiseOf(picture.text, missing)]) : file;
}

function encode({ text, width, height, format, isTransparent = false }: Picture): Buffer {
  const columns = Math.ceil(width / BLOCK_DOTS);
  const rows = Math.ceil(height / BLOCK_DOTS);
  return ENCODERS[format]({
    width,
    height,
    columns,
    rows,
    cells: drawText(text, columns, rows),
    paper: paperOf(text),
    ink: INK,
    isTransparent,
  });
}
