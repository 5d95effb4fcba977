import { describe, expect, it } from '@jest/globals';
import { stripByteOrderMark } from './strip-byte-order-mark.js';

describe('stripByteOrderMark', () => {
  it.each([
    ['\ufeff{}', '{}'],
    ['\ufeff', ''],
    ['\ufeff\ufeff{}', '\ufeff{}'],
    ['{"a":"\ufeff"}', '{"a":"\ufeff"}'],
    ['', ''],
    ['{', '{'],
  ])('turns %j into %j', (text, stripped) => {
    expect(stripByteOrderMark(Buffer.from(text)).toString('utf8')).toBe(stripped);
  });
});
