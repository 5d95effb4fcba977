import type { ImageMetadata } from '@gateway/intake';

/** Reads up to `length` bytes at `offset`; fewer at the end of the file. */
export type ReadAt = (offset: number, length: number) => Promise<Buffer>;

const HEAD_BYTES = 33;
const PNG_MAGIC = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const ALPHA_COLOR_TYPES = [4, 6];
/** No real image has more chunks or segments before its dimensions. */
const MAX_STEPS = 1_000;

/** The four letters that name a part of a file. */
const nameAt = (bytes: Buffer, offset: number): string => bytes.toString('latin1', offset, offset + 4);

/** Format and dimensions from the file's own bytes. Undefined if it is no PNG, JPEG or WebP with dimensions. */
export async function readImageMetadata(readAt: ReadAt): Promise<ImageMetadata | undefined> {
  const head = await readAt(0, HEAD_BYTES);
  if (head.length < HEAD_BYTES) return undefined;
  const metadata = await readByMagic(head, readAt);
  return metadata !== undefined && metadata.width > 0 && metadata.height > 0 ? metadata : undefined;
}

async function readByMagic(head: Buffer, readAt: ReadAt): Promise<ImageMetadata | undefined> {
  if (head.subarray(0, 8).equals(PNG_MAGIC) && nameAt(head, 12) === 'IHDR') {
    const hasAlpha = ALPHA_COLOR_TYPES.includes(head.readUInt8(25)) || (await hasTransparencyChunk(readAt));
    return { format: 'png', width: head.readUInt32BE(16), height: head.readUInt32BE(20), hasAlpha };
  }
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return readJpeg(readAt);
  return nameAt(head, 0) === 'RIFF' && nameAt(head, 8) === 'WEBP' ? readWebp(head) : undefined;
}

async function hasTransparencyChunk(readAt: ReadAt): Promise<boolean> {
  let offset = 8;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const chunk = await readAt(offset, 8);
    if (chunk.length < 8 || nameAt(chunk, 4) === 'IDAT') return false;
    if (nameAt(chunk, 4) === 'tRNS') return true;
    offset += 12 + chunk.readUInt32BE(0);
  }
  return false;
}

const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

async function readJpeg(readAt: ReadAt): Promise<ImageMetadata | undefined> {
  let offset = 2;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const segment = await readAt(offset, 9);
    if (segment.length < 9 || segment[0] !== 0xff) return undefined;
    const marker = segment.readUInt8(1);
    if (isFrame(marker)) {
      return { format: 'jpeg', height: segment.readUInt16BE(5), width: segment.readUInt16BE(7), hasAlpha: false };
    }
    // Fill bytes (0xff) may precede a marker.
    offset += marker === 0xff ? 1 : 2 + segment.readUInt16BE(2);
  }
  return undefined;
}

function readWebp(head: Buffer): ImageMetadata | undefined {
  const webp = (width: number, height: number): ImageMetadata => ({ format: 'webp', width, height, hasAlpha: false });
  switch (nameAt(head, 12)) {
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
