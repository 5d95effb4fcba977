import { describe, expect, it } from '@jest/globals';
import { readImageMetadata } from './read-image-metadata.js';

const read = (bytes: Buffer) =>
  readImageMetadata(async (offset, length) => bytes.subarray(offset, Math.max(offset, offset + length)));

const LONGEST_SIDE = 2 ** 32 - 1;

function pngChunk(type: string, content = Buffer.alloc(0)): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), content, Buffer.alloc(4)]);
}

function png(width: number, height: number, colorType = 2, ...chunks: readonly Buffer[]): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, colorType, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...chunks,
    pngChunk('IDAT'),
  ]);
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

function frame(marker: number, width: number, height: number): Buffer {
  const content = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  content.writeUInt16BE(height, 1);
  content.writeUInt16BE(width, 3);
  return segment(marker, content);
}

const jpeg = (...segments: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, Buffer.alloc(33)]);

function webp(kind: string, content: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'),
    Buffer.from(kind, 'latin1'),
    Buffer.alloc(4),
    content,
  ]);
}

function lossy(width: number, height: number): Buffer {
  const content = Buffer.alloc(20);
  content.writeUInt16LE(width, 6);
  content.writeUInt16LE(height, 8);
  return webp('VP8 ', content);
}

function lossless(width: number, height: number): Buffer {
  const content = Buffer.alloc(20, 0x2f);
  content.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1);
  return webp('VP8L', content);
}

function extended(width: number, height: number): Buffer {
  const content = Buffer.alloc(20);
  content.writeUIntLE(width - 1, 4, 3);
  content.writeUIntLE(height - 1, 7, 3);
  return webp('VP8X', content);
}

describe('readImageMetadata', () => {
  it.each([
    ['the smallest PNG', png(1, 1), 'png', 1, 1],
    ['the largest PNG', png(LONGEST_SIDE, LONGEST_SIDE), 'png', LONGEST_SIDE, LONGEST_SIDE],
    ['the smallest JPEG', jpeg(frame(0xc0, 1, 1)), 'jpeg', 1, 1],
    ['the largest JPEG', jpeg(frame(0xcf, 65_535, 65_535)), 'jpeg', 65_535, 65_535],
    ['a progressive JPEG', jpeg(segment(0xe0, Buffer.alloc(14)), frame(0xc2, 3, 2)), 'jpeg', 3, 2],
    ['a JPEG whose tables come first', jpeg(segment(0xc4, Buffer.alloc(65_533)), frame(0xc1, 3, 2)), 'jpeg', 3, 2],
    ['a JPEG with fill bytes before its frame', jpeg(Buffer.from([0xff, 0xff]), frame(0xc0, 3, 2)), 'jpeg', 3, 2],
    ['a JPEG with 999 segments before its frame', jpeg(...comments(999), frame(0xc0, 3, 2)), 'jpeg', 3, 2],
    ['the smallest WebP', lossless(1, 1), 'webp', 1, 1],
    ['the largest lossless WebP', lossless(16_384, 16_384), 'webp', 16_384, 16_384],
    ['the largest lossy WebP', lossy(16_383, 16_383), 'webp', 16_383, 16_383],
    ['a lossy WebP with scaling bits', lossy(0x4000 | 3, 0xc000 | 2), 'webp', 3, 2],
    ['the largest extended WebP', extended(2 ** 24, 2 ** 24), 'webp', 2 ** 24, 2 ** 24],
  ] as const)('recognises %s by its bytes', async (_what, bytes, format, width, height) => {
    expect(await read(bytes)).toEqual({ format, width, height, hasAlpha: false });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a PNG that ends inside its size', png(1, 1).subarray(0, 32)],
    ['a PNG without a width', png(0, 1)],
    ['a PNG without a height', png(1, 0)],
    [
      'a PNG that begins with something else',
      Buffer.concat([png(1, 1).subarray(0, 12), Buffer.from('IDAT'), Buffer.alloc(30)]),
    ],
    [
      'a PNG whose magic is damaged by a text transfer',
      Buffer.from(png(1, 1).toString('latin1').replace('\r\n', '\n\n'), 'latin1'),
    ],
    ['a JPEG without a frame', jpeg()],
    ['a JPEG that is one long row of comments', jpeg(...comments(1_000), frame(0xc0, 3, 2))],
    ['a JPEG whose segment claims to be longer than the file', jpeg(Buffer.from([0xff, 0xe0, 0xff, 0xff]))],
    ['a JPEG without a height', jpeg(frame(0xc0, 1, 0))],
    ['a WebP without a width', lossy(0, 1)],
    ['a WebP of an unknown kind', webp('VP9 ', Buffer.alloc(20))],
    ['another RIFF file', Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1')],
    ['a GIF', Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(40)])],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>')],
  ])('rejects %s', async (_what, bytes) => {
    expect(await read(bytes)).toBeUndefined();
  });

  it.each([
    ['gray', 0, [], false],
    ['true colour', 2, [], false],
    ['a palette', 3, [], false],
    ['gray with alpha', 4, [], true],
    ['true colour with alpha', 6, [], true],
    [
      'a palette with transparent entries',
      3,
      [pngChunk('PLTE', Buffer.alloc(3)), pngChunk('tRNS', Buffer.alloc(1))],
      true,
    ],
  ] as const)('reports whether a PNG can be transparent: %s', async (_what, colorType, chunks, hasAlpha) => {
    expect(await read(png(1, 1, colorType, ...chunks))).toMatchObject({ hasAlpha });
  });

  it('ignores a transparency chunk after the pixels', async () => {
    expect(await read(Buffer.concat([png(1, 1), pngChunk('tRNS')]))).toMatchObject({ hasAlpha: false });
  });
});

function comments(count: number): readonly Buffer[] {
  return Array.from({ length: count }, () => segment(0xfe, Buffer.alloc(1)));
}
