export type ImageSize = Readonly<{ format: 'png' | 'jpeg' | 'webp' | 'gif' | 'bmp'; width: number; height: number }>;

const isAt = (bytes: Buffer, offset: number, text: string): boolean =>
  bytes.toString('latin1', offset, offset + text.length) === text;

function jpegSize(bytes: Buffer): ImageSize | undefined {
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { format: 'jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function webpSize(bytes: Buffer): ImageSize | undefined {
  if (isAt(bytes, 12, 'VP8L')) {
    const bits = bytes.readUInt32LE(21);
    return { format: 'webp', width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  if (isAt(bytes, 12, 'VP8X')) {
    return { format: 'webp', width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  }
  return isAt(bytes, 12, 'VP8 ')
    ? { format: 'webp', width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    : undefined;
}

/** Format and size by the first bytes; undefined if it is no image. */
export function readImageSize(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 26) return undefined;
  if (isAt(bytes, 0, '\x89PNG\r\n\x1a\n') && isAt(bytes, 12, 'IHDR')) {
    return { format: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return jpegSize(bytes);
  if (isAt(bytes, 0, 'RIFF') && isAt(bytes, 8, 'WEBP') && bytes.length >= 30) return webpSize(bytes);
  if (isAt(bytes, 0, 'GIF8')) return { format: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  return isAt(bytes, 0, 'BM')
    ? { format: 'bmp', width: bytes.readInt32LE(18), height: Math.abs(bytes.readInt32LE(22)) }
    : undefined;
}

const STEP = 16;

/** About `side` × `side` pixels in a ratio such as `16:9`; sides are multiples of 16. */
export function fitRatio(ratio: string, side: number): { width: number; height: number } {
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  const stretch = Math.sqrt(across / down);
  const round = (length: number): number => Math.max(STEP, Math.round(length / STEP) * STEP);
  return { width: round(side * stretch), height: round(side / stretch) };
}
