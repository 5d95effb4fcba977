import { gzipSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { ResultShelf } from '../results/result-shelf.js';
import { type Picture, renderPicture } from './picture.js';
import { readPictureSize } from './read-size.js';

const picture: Picture = { text: 'HELLO', width: 250, height: 130, format: 'png' };

/** The dots of a PNG of ours, one bit each. */
function dotsOf(bytes: Buffer, columns: number): Buffer[] {
  const start = bytes.indexOf('IDAT');
  const data = inflateSync(bytes.subarray(start + 4, start + 4 + bytes.readUInt32BE(start - 4)));
  const lines: Buffer[] = [];
  for (let at = 0; at < data.length; at += columns + 1) {
    const above = lines.at(-1);
    lines.push(Buffer.from(data.subarray(at + 1, at + 1 + columns).map((byte, x) => byte + (above?.[x] ?? 0))));
  }
  return lines;
}

describe('a picture', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('has the size that was asked for as %s', (format) => {
    for (const [width, height] of [
      [1, 1],
      [250, 130],
      [3840, 1280],
    ] as const) {
      expect(readPictureSize(renderPicture({ ...picture, width, height, format }))).toEqual({ format, width, height });
    }
  });

  it('shows the words', () => {
    const lines = dotsOf(renderPicture(picture), 32);
    expect(lines).toHaveLength(130);
    // The upright of an H: ink from the top of the letter to its foot, then paper.
    const upright = lines.map((line) => line[0]);
    expect(upright.slice(0, 7 * 8)).toEqual(new Array(56).fill(0xff));
    expect(upright.slice(7 * 8, 9 * 8)).toEqual(new Array(16).fill(0));
  });

  it('is the same for the same words and another for others', () => {
    expect(renderPicture(picture)).toEqual(renderPicture(picture));
    expect(renderPicture(picture)).not.toEqual(renderPicture({ ...picture, text: 'HELLO!' }));
  });

  it('stays small however large it is', () => {
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      expect(renderPicture({ ...picture, width: 4096, height: 4096, format }).length).toBeLessThan(600_000);
    }
  });

  it.each(['png', 'jpeg', 'webp'] as const)(
    'is as large a file as is asked for as %s, and the same picture',
    (format) => {
      const small = renderPicture({ ...picture, format });
      const large = renderPicture({ ...picture, format, bytesAtLeast: 100_000 });
      expect([large.length, readPictureSize(large)]).toEqual([100_000, { format, width: 250, height: 130 }]);
      expect(large.subarray(0, small.length)).toEqual(small);
      expect(gzipSync(large).length).toBeGreaterThan(99_000);
      expect(renderPicture({ ...picture, format, bytesAtLeast: 1 })).toEqual(small);
    },
  );

  it('is not read where there is none', () => {
    expect(readPictureSize(Buffer.from('no picture, but longer than a head'))).toBeUndefined();
    expect(readPictureSize(Buffer.alloc(3))).toBeUndefined();
  });
});

describe('the shelf', () => {
  it('finds a picture by the address that it gave', () => {
    const shelf = new ResultShelf();
    const url = shelf.put(picture, 'localhost:1');
    expect(url).toMatch(/^http:\/\/localhost:1\/__results\/\w+\.png$/);
    expect(shelf.at(url)).toEqual(picture);
    expect(shelf.at('https://example.com/a.png')).toBeUndefined();
    expect([shelf.owns(url), shelf.owns('https://example.com/a.png')]).toEqual([true, false]);
  });
});
