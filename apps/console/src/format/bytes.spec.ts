import { expect, it } from '@jest/globals';
import { bytes } from './bytes.js';

it.each([
  [0, 'en', '0 bytes'],
  [1, 'en', '1 byte'],
  [641, 'en', '641 bytes'],
  [999, 'zh', '999字节'],
  [1_000, 'en', '1 kB'],
  [1_440_000, 'en', '1.4 MB'],
  [10 * 1024 ** 3, 'en', '10.7 GB'],
])('says %s bytes in %s as %s', (count, locale, text) => {
  expect(bytes(count, locale)).toBe(text);
});
