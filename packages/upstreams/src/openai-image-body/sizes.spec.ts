import { QWEN_IMAGE_SIZES } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { nearestRatio, nearestSize, parseSize, tierOf } from './sizes.js';

const size = (text: string) => parseSize(text) ?? { width: 0, height: 0 };

describe('sizes of OpenAI for other families', () => {
  it.each([
    ['1024x1024', '1024*1024'],
    ['1328x1328', '1328*1328'],
    ['1536x1024', '1472*1140'],
    ['1024x1792', '928*1664'],
    ['1280x720', '1280*720'],
  ])('%s becomes %s', (asked, nearest) => {
    expect(nearestSize(size(asked), QWEN_IMAGE_SIZES)).toBe(nearest);
  });

  it.each([
    ['1536x1024', '3:2'],
    ['1024x1792', '9:16'],
    ['512x512', '1:1'],
    ['4000x1000', '16:9'],
  ])('%s has about the shape %s', (asked, ratio) => {
    expect(nearestRatio(size(asked), ['1:1', '16:9', '9:16', '3:2', '2:3'])).toBe(ratio);
  });

  it('takes the first tier that is large enough, else the largest', () => {
    const tiers = [
      ['1K', 1_536],
      ['2K', 3_072],
    ] as const;
    expect([1_536, 1_537, 9_000].map((side) => tierOf({ width: 10, height: side }, tiers))).toEqual(['1K', '2K', '2K']);
  });

  it('reads no other word as a size', () => {
    for (const text of ['auto', '1K', '1024', 'x', '', null, undefined]) expect(parseSize(text)).toBeUndefined();
  });
});
