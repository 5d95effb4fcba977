import { describe, expect, it } from '@jest/globals';
import { bytesIn } from './bytes-in.js';

describe('bytesIn', () => {
  it.each([
    [new Uint8Array(7), 7],
    [Buffer.alloc(5), 5],
    [{ body: new Uint8Array(3), other: Buffer.alloc(4), name: 'text' }, 7],
    [{ name: 'text' }, 0],
    [{ deep: { body: new Uint8Array(3) } }, 0],
    [null, 0],
    [undefined, 0],
    ['text', 0],
  ])('counts %p', (value, bytes) => {
    expect(bytesIn(value)).toBe(bytes);
  });
});
