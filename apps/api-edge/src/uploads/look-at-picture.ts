import type { ImageMetadata } from '@gateway/intake';

/** Bytes of a file from an offset on, fewer at its end. */
export type ReadAt = (offset: number, length: number) => Promise<Buffer>;

const HEAD_BYTES = 33;
const PNG_MAGIC = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const ALPHA_COLOR_TYPES = [4, 6];
/** No picture has more chunks or segments than this before its size. */
const STEPS_AT_MOST = 1_000;

const textAt = (bytes: Buffer, offset: number, length = 4): string => bytes.toString('latin1', offset, offset + length);

/** Undefined if it is no PNG, JPEG or WebP with a size, whatever its name says. */
export async function lookAtPicture(readAt: ReadAt): Promise<ImageMetadata | undefined> {
  const head = await readAt(0, HEAD_BYTES);
  if (head.length < HEAD_BYTES) return undefined;
  const seen = await lookByMagic(head, readAt);
  return seen !== undefined && seen.width > 0 && seen.height > 0 ? seen : undefined;
}

async function lookByMagic(head: Buffer, readAt: ReadAt): Promise<ImageMetadata | undefined> {
  if (head.subarray(0, 8).equals(PNG_MAGIC) && textAt(head, 12) === 'IHDR') {
    const hasAlpha = ALPHA_COLOR_TYPES.includes(head.readUInt8(25)) || (await hasTransparencyChunk(readAt));
    return { format: 'png', width: head.readUInt32BE(16), height: head.readUInt32BE(20), hasAlpha };
  }
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return lookAtJpeg(readAt);
  return textAt(head, 0) === 'RIFF' && textAt(head, 8) === 'WEBP' ? lookAtWebp(head) : undefined;
}

async function hasTransparencyChunk(readAt: ReadAt): Promise<boolean> {
  let offset = 8;
  for (let step = 0; step < STEPS_AT_MOST; step += 1) {
    const chunk = await readAt(offset, 8);
    if (chunk.length < 8 || textAt(chunk, 4) === 'IDAT') return false;
    if (textAt(chunk, 4) === 'tRNS') return true;
    offset += 12 + chunk.readUInt32BE(0);
  }
  return false;
}

const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

async function lookAtJpeg(readAt: ReadAt): Promise<ImageMetadata | undefined> {
  let offset = 2;
  for (let step = 0; step < STEPS_AT_MOST; step += 1) {
    const segment = await readAt(offset, 9);
    if (segment.length < 9 || segment[0] !== 0xff) return undefined;
    const marker = segment.readUInt8(1);
    if (isFrame(marker)) {
      return { format: 'jpeg', height: segment.readUInt16BE(5), width: segment.readUInt16BE(7), hasAlpha: false };
    }
    // A marker may be led by bytes of filling.
    offset += marker === 0xff ? 1 : 2 + segment.readUInt16BE(2);
  }
  return undefined;
}

function lookAtWebp(head: Buffer): ImageMetadata | undefined {
  const webp = (width: number, height: number): ImageMetadata => ({ format: 'webp', width, height, hasAlpha: false });
  switch (textAt(head, 12)) {
    case 'VP8 ':
      return webp(head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return webp((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return webp(head.readUIntLE(24, 3) + 1, head.readUIntLE(27, 3) + 1);
    default:
      return undefined;
  }
}
