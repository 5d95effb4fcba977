import { expect, it } from '@jest/globals';
import { cosine } from './similarity.js';

it('is the cosine of the angle, whatever the lengths', () => {
  expect(cosine([1, 0], [5, 0])).toBe(1);
  expect(cosine([1, 0], [0, 3])).toBe(0);
  expect(cosine([1, 2], [-1, -2])).toBeCloseTo(-1, 12);
});
