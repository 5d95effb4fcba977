import { deflateSync } from 'node:zlib';
import type { MediaTokens } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { pixelsOf } from './image-pixels.js';
import { inlineOf, type MediaKind, MediaTally } from './media-tally.js';
import { PdfWork, pdfSizeOf } from './pdf-size.js';
import { secondsOf } from './recording-seconds.js';

const MEDIA: MediaTokens = {
  image: { most: 1_568, block: { side: 28, tokens: 1 } },
  audioSecond: 32,
  videoSecond: 268,
  page: { tokens: 1_000, includesText: false },
};

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
const le32 = (value: number): Buffer => u32(value).reverse();
const le16 = (value: number): Buffer => u16(value).reverse();
const padded = (...parts: readonly (Buffer | string)[]): Buffer =>
  Buffer.concat([
    ...parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
    Buffer.alloc(64),
  ]);

const png = (width: number, height: number): Buffer =>
  padded('\x89PNG\r\n\x1a\n', u32(13), 'IHDR', u32(width), u32(height));
const jpeg = (width: number, height: number): Buffer =>
  padded('\xff\xd8\xff\xe0', u16(4), 'JF', '\xff\xff\xc0', u16(17), '\x08', u16(height), u16(width));
/** With a palette of two colours and a comment. */
const gif = ([width, height]: readonly [number, number], frame: readonly [number, number]): Buffer =>
  padded(
    ...['GIF89a', le16(width), le16(height), '\x80\0\0', Buffer.alloc(6), '\x21\xfe\x02hi\0', '\x2c\0\0\0\0'],
    ...[le16(frame[0]), le16(frame[1])],
  );
const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([u32(content.length + 8), Buffer.from(type), content]);
};
const head = (timescale: number, units: number): Buffer =>
  Buffer.concat([Buffer.alloc(12), u32(timescale), u32(units), Buffer.alloc(8)]);
const mp4 = (...moov: readonly Buffer[]): Buffer =>
  Buffer.concat([box('ftyp', Buffer.alloc(24)), box('moov', ...moov)]);
const wav = (bytes: number): Buffer =>
  Buffer.concat([
    Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1'),
    ...[le32(16), le16(1), le16(1), le32(16_000), le32(1), le16(2), le16(16)],
    Buffer.from('data\x01\0\0\0', 'latin1'),
    Buffer.alloc(bytes - 44),
  ]);
/** A frame of MPEG 1 layer III: 128 kbit/s, 44.1 kHz, 417 bytes, 1,152 samples. */
const mp3 = (frames: number): Buffer =>
  Buffer.concat(
    Array.from({ length: frames }, () => Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0]), Buffer.alloc(413)])),
  );
const pdf = (...objects: readonly (Buffer | string)[]): Buffer =>
  Buffer.concat([Buffer.from('%PDF-1.7\n'), ...objects.map((object) => Buffer.from(object))]);
const stream = (dictionary: string, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`5 0 obj <<${dictionary}>>\nstream\n`), content, Buffer.from('\nendstream endobj\n')]);

const tallyOf = (kind: MediaKind, file: Buffer | undefined): MediaTally => {
  const tally = new MediaTally(MEDIA);
  tally.add(kind, file?.toString('base64'));
  return tally;
};

describe('the size of an image', () => {
  it.each([
    ['PNG', png(640, 480)],
    ['JPEG with fill bytes', jpeg(640, 480)],
    ['GIF', gif([640, 480], [640, 480])],
    ['a GIF whose frame is larger than its screen', gif([1, 1], [640, 480])],
    ['lossy WebP', padded('RIFF\0\0\0\0WEBPVP8 ', Buffer.alloc(10), le16(640), le16(480))],
    ['WebP', padded('RIFF\0\0\0\0WEBPVP8X', Buffer.alloc(8), le32(639).subarray(0, 3), le32(479).subarray(0, 3))],
  ])('is read from %s', (_format, file) => expect(pixelsOf(file)).toEqual({ width: 640, height: 480 }));

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['an unknown format', padded('BM', Buffer.alloc(60))],
    ['a JPEG that ends before its size', jpeg(1, 1).subarray(0, 12)],
    [
      'a JPEG with a marker without a length',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0x01]), jpeg(1, 1).subarray(2)]),
    ],
    [
      'a PNG with its head behind another chunk',
      padded('\x89PNG\r\n\x1a\n', u32(8), 'tEXt', u32(1), u32(1), png(9, 9).subarray(8)),
    ],
    ['a PNG with two heads', Buffer.concat([png(1, 1), png(9, 9).subarray(8)])],
    ['a GIF without a frame', padded('GIF89a', le16(1), le16(1))],
    ['no pixels', png(0, 5)],
  ])('is not known of %s', (_what, file) => expect(pixelsOf(file)).toBeUndefined());
});

describe('the length of a recording', () => {
  it('of WAV counts all bytes as samples, whatever the header says', () => {
    expect(secondsOf(wav(32_000))).toBe(1);
  });

  it('of MP3 is the sum of its frames', () => {
    expect(secondsOf(mp3(100))).toBeCloseTo((100 * 1_152) / 44_100);
    expect(secondsOf(Buffer.concat([mp3(100), Buffer.alloc(1_000)]))).toBeUndefined();
    const tagged = (...size: readonly number[]) =>
      Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, 0, ...size]), mp3(101)]);
    expect(secondsOf(tagged(0, 0, 3, 33))).toBeCloseTo((100 * 1_152) / 44_100);
    expect(secondsOf(tagged(0, 0, 0x83, 33))).toBeUndefined();
  });

  it('of MP4 is the longest that any box names', () => {
    const stts = box('stbl', box('stts', Buffer.alloc(4), u32(1), u32(50), u32(1_000)));
    const track = (units: number) => box('trak', box('mdia', box('mdhd', head(1_000, units)), box('minf', stts)));
    expect(secondsOf(mp4(box('mvhd', head(600, 600)), track(1)))).toBe(50);
    expect(secondsOf(mp4(box('mvhd', head(600, 60_000)), track(1)))).toBe(100);
  });

  it('of MP4 includes what edits and late frames add', () => {
    const edits = box('edts', box('elst', Buffer.alloc(4), u32(1), u32(60_000), u32(0), u32(1)));
    const shifts = box('stbl', box('ctts', Buffer.alloc(4), u32(1), u32(1), u32(5_000)));
    const media = box('mdia', box('mdhd', head(1_000, 1)), box('minf', shifts));
    expect(secondsOf(mp4(box('mvhd', head(600, 1)), box('trak', edits, media)))).toBe(105);
  });

  const movie = box('mvhd', head(0xff_ff_ff_ff, 1));
  const nested = (depth: number) =>
    Buffer.concat(
      Array.from({ length: depth }, (_, at) => Buffer.concat([u32(8 * (depth - at)), Buffer.from('trak')])),
    );
  const hour = box('stbl', box('stts', Buffer.alloc(4), u32(1), u32(3_600), u32(1_000)));
  const mediaHead = box('mdhd', head(1_000, 1));

  it.each([
    ['a head of media behind its samples', [movie, box('trak', box('mdia', box('minf', hour), mediaHead))]],
    ['two heads of media', [movie, box('trak', box('mdia', box('mdhd', head(9e8, 1)), mediaHead, box('minf', hour)))]],
    ['two heads', [movie, movie, box('trak', box('mdia', mediaHead, box('minf', hour)))]],
    ['samples in another box', [movie, box('trak', box('mdia', mediaHead, box('minf', box('dinf', hour))))]],
    ['samples outside of media', [movie, box('trak', hour)]],
    ['compressed boxes', [movie, box('cmov', Buffer.alloc(8))]],
    ['boxes too deep for the stack', [movie, nested(9_900)]],
  ])('of MP4 with %s is not known', (_what, boxes) => expect(secondsOf(mp4(...boxes))).toBeUndefined());

  it('of a fragmented MP4 or another format is not known', () => {
    expect(secondsOf(mp4(box('mvhd', head(600, 600)), box('mvex', Buffer.alloc(8))))).toBeUndefined();
    expect(secondsOf(Buffer.alloc(100))).toBeUndefined();
  });
});

describe('the size of a PDF', () => {
  it('counts pages by their objects, by the tree, and inside compressed objects', () => {
    expect(pdfSizeOf(pdf('<</Type /Page>> <</Type/Pages /Count 1>> <</Type /Page /Parent 1 0 R>>'))).toEqual({
      pages: 2,
      textBytes: 0,
    });
    expect(pdfSizeOf(pdf('<</Type/Pages /Count 9>>'))?.pages).toBe(9);
    const objects = deflateSync(Buffer.from('<</Type /Page>><</Type /Page>><</Type /Page>>'));
    expect(pdfSizeOf(pdf(stream('/Type /ObjStm /First 9 /Filter /FlateDecode', objects)))?.pages).toBe(3);
  });

  /** A thousand pages in a few bytes: references to one page. */
  const repeated = (count: string, kids = 'Kids'): Buffer =>
    pdf(`<</Type /Pages /${kids} [${'3 0 R '.repeat(1_000)}] ${count}>>`);

  it.each(['/Count         1000', '/C#6funt 1000', '/Count\x001000', '/Count+1000', '/Count 1', ''])(
    'counts pages as a parser does: %j',
    (count) => expect(pdfSizeOf(repeated(count))?.pages).toBe(1_000),
  );

  it.each([
    ['a count elsewhere', repeated('/Count 5 0 R')],
    ['a comment before the count', repeated('/Count%\n1000')],
    ['a tree elsewhere', pdf('<</Type /Pages /Kids 5 0 R /Count 1>>')],
    ['a repeated branch', pdf('<</Kids [2 0 R 2 0 R] /Count 1>>', '<</Kids [3 0 R 3 0 R] /Count 1>>')],
    [
      'a dictionary that hides its filter',
      pdf(stream('/First 9 /X (5 0 obj <<) /Filter /FlateDecode', deflateSync('x'))),
    ],
    ['two filters of one name', pdf(stream('/Filter /DCTDecode /First 9 /Filter /FlateDecode', deflateSync('x')))],
    ['a stream inside a stream', pdf(stream('', Buffer.from('9 0 obj<</First 9>>stream\n')))],
    ['a stream after a comment', pdf('5 0 obj<</First 9 /Filter /FlateDecode>>%\nstream\nx\nendstream')],
    [
      'a stream that ends later than it seems',
      pdf(stream('/Filter /FlateDecode', deflateSync('x'.repeat(99)).subarray(0, -5))),
    ],
    ['objects behind a predictor', pdf(stream('/First 9 /Filter /FlateDecode /DecodeParms <<>>', deflateSync('x')))],
    ['an escaped encryption', pdf('<</Encr#79pt 4 0 R>>')],
  ])('is not known with %s', (_what, file) => expect(pdfSizeOf(file)).toBeUndefined());

  it('adds up pages of all compressed objects, of whatever type', () => {
    const objects = stream('/First 9 /Filter /FlateDecode', deflateSync('<</Type /Page>><</Type /Page>>'));
    expect(pdfSizeOf(pdf(objects, objects), false)).toEqual({ pages: 4, textBytes: 0 });
  });

  it('has strings in its dictionaries', () => {
    const attached = stream('/Params <</ModDate (D:20260101)>> /Filter /FlateDecode', deflateSync('text'));
    expect(pdfSizeOf(pdf(attached, '<</Title (100% of a bitstream)>>'))).toEqual({ pages: 1, textBytes: 4 });
  });

  it('takes no more work than one request may', () => {
    const tiny = stream('/Filter /FlateDecode', deflateSync(''));
    const work = new PdfWork();
    const file = pdf(...Array<Buffer>(300).fill(tiny));
    expect([pdfSizeOf(file, true, work)?.pages, pdfSizeOf(file, true, work)]).toEqual([1, undefined]);
    expect(pdfSizeOf(pdf(...Array<Buffer>(6_000).fill(tiny)), false)).toBeUndefined();
  });

  it('counts the inflated text, and no images', () => {
    const text = deflateSync(Buffer.alloc(100_000, 'x'));
    const image = stream('/Subtype /Image /Filter /DCTDecode', Buffer.alloc(5_000));
    expect(pdfSizeOf(pdf(stream('/Filter [ /FlateDecode ]', text), image))).toEqual({ pages: 1, textBytes: 100_000 });
  });

  it.each([
    ['a text of over 4 MiB', pdf(stream('/Filter /FlateDecode', deflateSync(Buffer.alloc(5_000_000))))],
    ['two filters', pdf(stream('/Filter [/FlateDecode /FlateDecode]', Buffer.alloc(9)))],
    ['a damaged stream', pdf(stream('/Filter /FlateDecode', Buffer.alloc(9, 7)))],
    ['an encryption', pdf('<</Encrypt 4 0 R>>')],
    ['another format', Buffer.from('hello')],
  ])('is not known with %s', (_what, file) => expect(pdfSizeOf(file)).toBeUndefined());
});

describe('MediaTally', () => {
  it('holds the most of media that only the vendor sees', () => {
    expect(tallyOf('image', undefined)).toMatchObject({ tokens: 1_568, fillsContext: false, refersToMedia: true });
    for (const kind of ['audio', 'video', 'file'] as const) {
      expect(tallyOf(kind, undefined)).toMatchObject({ fillsContext: true, refersToMedia: true });
    }
  });

  it('holds inline media by their bytes', () => {
    expect(tallyOf('image', png(56, 57))).toMatchObject({ tokens: 6, refersToMedia: false });
    expect(tallyOf('image', png(9_000, 9_000)).tokens).toBe(1_568);
    expect(tallyOf('image', Buffer.alloc(90)).tokens).toBe(1_568);
    expect(tallyOf('audio', wav(64_000))).toMatchObject({ tokens: 0, audioTokens: 64 });
    const film = mp4(box('mvhd', head(1, 10)), box('trak', Buffer.alloc(64)));
    expect(tallyOf('video', film)).toMatchObject({ tokens: 2_680, audioTokens: 320 });
    expect(tallyOf('file', pdf('<</Type /Page>>')).tokens).toBe(1_000);
  });

  it('holds the context window for a video or a file that it cannot read', () => {
    for (const kind of ['video', 'file'] as const) {
      expect(tallyOf(kind, Buffer.alloc(90))).toMatchObject({ fillsContext: true, refersToMedia: false });
    }
  });
});

describe('inlineOf', () => {
  it.each([
    ['data:image/png;base64,QUJD', 'QUJD'],
    ['QUJDREVG', 'QUJDREVG'],
    ['https://example.com/a.png', undefined],
    ['gs://bucket/a', undefined],
    [undefined, undefined],
  ])('of %s is %s', (source, inline) => expect(inlineOf(source)).toBe(inline));
});
