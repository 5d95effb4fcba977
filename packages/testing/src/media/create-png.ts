import { crc32 } from 'node:zlib';

const GRAY = 0;
const COLOR_WITH_ALPHA = 6;

const chunk = (type: string, content: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
};

export interface PngOptions {
  readonly width: number;
  readonly height: number;
  readonly hasAlpha?: boolean;
  /** Size of its pixel data, which is never decoded. */
  readonly bytes?: number;
}

/** A PNG with valid chunks. */
export function createPng({ width, height, hasAlpha = false, bytes = 64 }: PngOptions): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, hasAlpha ? COLOR_WITH_ALPHA : GRAY, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const pixels = Buffer.alloc(bytes, 'pixels of an image  ');
  const magic = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([magic, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** A JPEG with valid segments. */
export function createJpeg(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const application = Buffer.concat([Buffer.from([0xff, 0xe1, 0x03, 0xe9]), Buffer.alloc(999)]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), application, frame, Buffer.alloc(32)]);
}
