import { expect, it } from '@jest/globals';
import { numberOrText } from './number-text.js';

it.each([
  ['60', 60],
  [' 0.5 ', 0.5],
  ['', null],
  ['  ', null],
  // JSON has none of these: as numbers they would mean that there is no limit.
  ['1,000', '1,000'],
  ['ten', 'ten'],
  ['Infinity', 'Infinity'],
])('sends %j as %j', (text, sent) => {
  expect(numberOrText(text)).toBe(sent);
});
