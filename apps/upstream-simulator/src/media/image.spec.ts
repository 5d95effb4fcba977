import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { ResultStore } from '../results/result-store.js';
import { type GeneratedImage, renderImage } from './image.js';
import { readImageSize } from './image-size.js';

const image: GeneratedImage = { text: 'HELLO', width: 250, height: 130, format: 'png' };

describe('renderImage', () => {
  it.each(['png', 'jpeg', 'webp'] as const)('has the requested size as %s', (format) => {
    for (const [width, height] of [
      [1, 1],
      [250, 130],
      [3840, 1280],
    ] as const) {
      expect(readImageSize(renderImage({ ...image, width, height, format }))).toEqual({ format, width, height });
    }
  });

  it('differs for other words only', () => {
    expect(renderImage(image)).toEqual(renderImage(image));
    expect(renderImage(image)).not.toEqual(renderImage({ ...image, text: 'HELLO!' }));
  });

  it('stays small whatever its size', () => {
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      expect(renderImage({ ...image, width: 4096, height: 4096, format }).length).toBeLessThan(600_000);
    }
  });

  it.each(['png', 'jpeg', 'webp'] as const)(
    'pads the file to the requested bytes as %s, with the same image',
    (format) => {
      const small = renderImage({ ...image, format });
      const large = renderImage({ ...image, format, minBytes: 100_000 });
      expect([large.length, readImageSize(large)]).toEqual([100_000, { format, width: 250, height: 130 }]);
      expect(large.subarray(0, small.length)).toEqual(small);
      expect(gzipSync(large).length).toBeGreaterThan(99_000);
      expect(renderImage({ ...image, format, minBytes: 1 })).toEqual(small);
    },
  );

  it('reads no size from bytes that are no image', () => {
    expect(readImageSize(Buffer.from('no image, but longer than a header'))).toBeUndefined();
    expect(readImageSize(Buffer.alloc(3))).toBeUndefined();
  });
});

describe('ResultStore', () => {
  it('finds an image by its own address', () => {
    const store = new ResultStore();
    const url = store.put(image, 'localhost:1');
    expect(url).toMatch(/^http:\/\/localhost:1\/__results\/\w+\.png$/);
    expect(store.at(url)).toEqual(image);
    expect(store.at('https://example.com/a.png')).toBeUndefined();
    expect([store.owns(url), store.owns('https://example.com/a.png')]).toEqual([true, false]);
  });
});
