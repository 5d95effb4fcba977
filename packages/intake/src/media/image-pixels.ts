/** The size of an image in pixels. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
}

const PNG_MAGIC = '\x89PNG\r\n\x1a\n';
/** No real file has more segments before its size. */
const MAX_SEGMENTS = 1_000;

const textAt = (bytes: Buffer, start: number, end: number): string => bytes.toString('latin1', start, end);

/**
 * Reads the size from the file's own bytes, of which the first part is enough. Undefined if they do not name one, or if a
 * decoder may read another one: a sender could hide what the vendor bills.
 */
export function pixelsOf(bytes: Buffer): Pixels | undefined {
  const pixels = readPixels(bytes);
  return pixels !== undefined && pixels.width > 0 && pixels.height > 0 ? pixels : undefined;
}

function readPixels(bytes: Buffer): Pixels | undefined {
  if (bytes.length < 30) return undefined;
  if (textAt(bytes, 0, 8) === PNG_MAGIC) return readPng(bytes);
  if (textAt(bytes, 0, 4) === 'GIF8') return readGif(bytes);
  if (bytes.readUInt16BE(0) === 0xffd8) return readJpeg(bytes);
  return textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 12) === 'WEBP' ? readWebp(bytes) : undefined;
}

/** Some decoders take a head behind other chunks, or the last one. */
function readPng(bytes: Buffer): Pixels | undefined {
  if (textAt(bytes, 12, 16) !== 'IHDR' || bytes.includes('IHDR', 16)) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

const GIF_EXTENSION = 0x21;
const GIF_FRAME = 0x2c;

/** A first frame may be larger than its screen, and some decoders show it whole. */
function readGif(bytes: Buffer): Pixels | undefined {
  const flags = bytes.readUInt8(10);
  let offset = 13 + ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  while (bytes[offset] === GIF_EXTENSION) {
    offset += 2;
    for (let block = bytes[offset]; block !== 0 && block !== undefined; block = bytes[offset]) offset += block + 1;
    offset += 1;
  }
  if (bytes[offset] !== GIF_FRAME || offset + 9 > bytes.length) return undefined;
  const right = bytes.readUInt16LE(offset + 1) + bytes.readUInt16LE(offset + 5);
  const bottom = bytes.readUInt16LE(offset + 3) + bytes.readUInt16LE(offset + 7);
  return { width: Math.max(bytes.readUInt16LE(6), right), height: Math.max(bytes.readUInt16LE(8), bottom) };
}

const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Markers without a length: what follows would be skipped by this search only. */
const isBare = (marker: number): boolean => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9);

function readJpeg(bytes: Buffer): Pixels | undefined {
  let offset = 2;
  for (let segment = 0; segment < MAX_SEGMENTS && offset + 9 <= bytes.length; segment += 1) {
    const marker = bytes.readUInt8(offset + 1);
    if (bytes[offset] !== 0xff || isBare(marker)) return undefined;
    if (isFrame(marker)) return { height: bytes.readUInt16BE(offset + 5), width: bytes.readUInt16BE(offset + 7) };
    // Fill bytes (0xff) may precede a marker.
    offset += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(offset + 2);
  }
  return undefined;
}

function readWebp(bytes: Buffer): Pixels | undefined {
  switch (textAt(bytes, 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
