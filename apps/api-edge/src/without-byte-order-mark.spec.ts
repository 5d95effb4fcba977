import { describe, expect, it } from '@jest/globals';
import { withoutByteOrderMark } from './without-byte-order-mark.js';

describe('a text without its byte order mark', () => {
  it.each([
    ['\ufeff{}', '{}'],
    ['\ufeff', ''],
    ['\ufeff\ufeff{}', '\ufeff{}'],
    ['{"a":"\ufeff"}', '{"a":"\ufeff"}'],
    ['', ''],
    ['{', '{'],
  ])('%j is %j', (text, without) => {
    expect(withoutByteOrderMark(Buffer.from(text)).toString('utf8')).toBe(without);
  });
});
