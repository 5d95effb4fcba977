import { describe, expect, it } from '@jest/globals';
import { pauseAfterMs } from './pause-after.js';

describe('the pause after a batch', () => {
  it.each([
    ['none after an empty read, which has waited itself', 0, 0],
    ['short after a lone request', 1, 50],
    ['longer after a few', 3, 150],
    ['at most a quarter of a second', 5, 250],
    ['the same up to half a batch', 249, 250],
    ['none from half a batch on: more has collected meanwhile', 250, 0],
    ['none after a full batch', 500, 0],
  ])('is %s', (_name, count, ms) => {
    expect(pauseAfterMs(count)).toBe(ms);
  });
});
