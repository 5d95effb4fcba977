import { createCipheriv, createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { readAsset } from './assets.js';

/** What an image is made of: small enough to be stored in place of its bytes. */
export interface GeneratedImage {
  /** Written into the file as its description, so that a test can distinguish two images. */
  readonly text: string;
  readonly width: number;
  readonly height: number;
  readonly format: ImageFormat;
  /** Only PNG and WebP can be transparent. */
  readonly isTransparent?: boolean;
  /** A shorter file is followed by noise, which decoders ignore. */
  readonly minBytes?: number | undefined;
}

export const MEDIA_TYPES = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;
export type ImageFormat = keyof typeof MEDIA_TYPES;
const MAX_DESCRIPTION_CHARACTERS = 1_000;

const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
};

const pngChunk = (type: string, ...contents: readonly Buffer[]): Buffer => {
  const named = Buffer.concat([Buffer.from(type), ...contents]);
  return Buffer.concat([u32(named.length - 4), named, u32(crc32(named))]);
};

/** One colour, chosen by the text: a palette of one entry, one bit a pixel. */
const encodePng = ({ text, width, height, isTransparent = false }: GeneratedImage, description: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', u32(width, height), Buffer.from([1, 3, 0, 0, 0])),
    pngChunk('PLTE', createHash('sha1').update(text).digest().subarray(0, 3)),
    ...(isTransparent ? [pngChunk('tRNS', Buffer.from([0]))] : []),
    pngChunk('iTXt', Buffer.from('Description\0\0\0\0\0'), description),
    pngChunk('IDAT', deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height), { level: 1 })),
    pngChunk('IEND'),
  ]);

const GREY_JPEG = readAsset('grey.jpg');
const START_BYTES = 2;
/** The data of one macroblock, and the end marker behind it. */
const MACROBLOCK = GREY_JPEG.subarray(-6, -2);
const MACROBLOCK_PIXELS = 16;
const JPEG_HEAD = GREY_JPEG.subarray(START_BYTES, -6);
const FRAME_SIZE_AT = JPEG_HEAD.indexOf(Buffer.from([0xff, 0xc0])) + 5;

/** Grey: the data of the asset's one macroblock, once for each macroblock of the image. */
function encodeJpeg({ width, height }: GeneratedImage, description: Buffer): Buffer {
  const comment = Buffer.from([0xff, 0xfe, 0, 0]);
  comment.writeUInt16BE(description.length + 2, 2);
  const head = Buffer.from(JPEG_HEAD);
  head.writeUInt16BE(height, FRAME_SIZE_AT);
  head.writeUInt16BE(width, FRAME_SIZE_AT + 2);
  const macroblocks = Math.ceil(width / MACROBLOCK_PIXELS) * Math.ceil(height / MACROBLOCK_PIXELS);
  const data = Buffer.alloc(macroblocks * MACROBLOCK.length, MACROBLOCK);
  return Buffer.concat([GREY_JPEG.subarray(0, START_BYTES), comment, description, head, data, GREY_JPEG.subarray(-2)]);
}

const WEBP = { opaque: readAsset('opaque.webp'), transparent: readAsset('transparent.webp') };
const WEBP_SIZE_AT = 21;

/** The asset with another size in its header, and the description in a chunk that decoders ignore. */
function encodeWebp({ width, height, isTransparent = false }: GeneratedImage, description: Buffer): Buffer {
  const note = Buffer.from('NOTE\0\0\0\0');
  note.writeUInt32LE(description.length, 4);
  const file = Buffer.concat([
    isTransparent ? WEBP.transparent : WEBP.opaque,
    note,
    description,
    Buffer.alloc(description.length % 2),
  ]);
  const size = (width - 1) | ((height - 1) << 14);
  file.writeUInt32LE(((file.readUInt32LE(WEBP_SIZE_AT) & 0xf0000000) | size) >>> 0, WEBP_SIZE_AT);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}

const ENCODERS = { png: encodePng, jpeg: encodeJpeg, webp: encodeWebp } as const;

/** Bytes that do not compress, the same for the same text. */
const noiseOf = (text: string, bytes: number): Buffer =>
  createCipheriv('aes-128-ctr', createHash('md5').update(text).digest(), Buffer.alloc(16)).update(Buffer.alloc(bytes));

/** The image's file: one colour, of the exact format and size, at least `minBytes` long. */
export function renderImage(image: GeneratedImage): Buffer {
  const description = Buffer.from(image.text.slice(0, MAX_DESCRIPTION_CHARACTERS));
  const file = ENCODERS[image.format](image, description);
  const missing = (image.minBytes ?? 0) - file.length;
  return missing > 0 ? Buffer.concat([file, noiseOf(image.text, missing)]) : file;
}
