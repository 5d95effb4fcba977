import { describe, expect, it } from '@jest/globals';
import { wavOf } from './wav.js';

describe('wavOf', () => {
  const file = Buffer.from(wavOf(new Float32Array([0, 1, -1, 2]), 16_000));

  it('has a header with the sizes, the rate and one channel of 16 bits', () => {
    expect(file.subarray(0, 4).toString()).toBe('RIFF');
    expect(file.readUInt32LE(4)).toBe(file.length - 8);
    expect(file.subarray(8, 16).toString()).toBe('WAVEfmt ');
    expect([file.readUInt16LE(20), file.readUInt16LE(22), file.readUInt32LE(24)]).toEqual([1, 1, 16_000]);
    expect([file.readUInt32LE(28), file.readUInt16LE(32), file.readUInt16LE(34)]).toEqual([32_000, 2, 16]);
    expect(file.subarray(36, 40).toString()).toBe('data');
    expect(file.readUInt32LE(40)).toBe(8);
  });

  it('has the samples, none above the peak', () => {
    expect([0, 1, 2, 3].map((index) => file.readInt16LE(44 + index * 2))).toEqual([0, 32_767, -32_767, 32_767]);
  });
});
