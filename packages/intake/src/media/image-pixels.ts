/** The size of an image in pixels. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
}

const PNG_MAGIC = '\x89PNG\r\n\x1a\n';
/** No real file has more segments before its size. */
const MAX_SEGMENTS = 1_000;

const textAt = (bytes: Buffer, start: number, end: number): string => bytes.toString('latin1', start, end);

/** Reads the size from the file's own bytes, of which the first part is enough. Undefined if they do not name one. */
export function pixelsOf(bytes: Buffer): Pixels | undefined {
  const pixels = readPixels(bytes);
  return pixels !== undefined && pixels.width > 0 && pixels.height > 0 ? pixels : undefined;
}

function readPixels(bytes: Buffer): Pixels | undefined {
  if (bytes.length < 30) return undefined;
  if (textAt(bytes, 0, 8) === PNG_MAGIC) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (textAt(bytes, 0, 4) === 'GIF8') return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (bytes.readUInt16BE(0) === 0xffd8) return readJpeg(bytes);
  return textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 12) === 'WEBP' ? readWebp(bytes) : undefined;
}

const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function readJpeg(bytes: Buffer): Pixels | undefined {
  let offset = 2;
  for (let segment = 0; segment < MAX_SEGMENTS && offset + 9 <= bytes.length; segment += 1) {
    if (bytes[offset] !== 0xff) return undefined;
    const marker = bytes.readUInt8(offset + 1);
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
