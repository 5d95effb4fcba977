import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lowest, readAmount } from './read-amount.js';

describe('readAmount', () => {
  it.each([
    [0.05, 50_000_000n],
    ['0.05', 50_000_000n],
    [' 2 ', 2_000_000_000n],
    [0, 0n],
    [1e-7, 100n],
    [0.1 + 0.2, 300_000_000n],
  ])('reads %p exactly', (args, nano) => {
    expect(readAmount(args)).toBe(nano);
  });

  it.each([-0.01, '-1', 'ten', '', '1e3', Number.NaN, Number.POSITIVE_INFINITY, null, undefined, {}, [1], true])(
    'rejects %p',
    (args) => {
      expect(readAmount(args)).toBeUndefined();
    },
  );

  it('reads a number with an error of at most one nano-dollar', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (args) => {
        const nano = readAmount(args);
        expect(nano !== undefined && Math.abs(Number(nano) / 1e9 - args) <= 1e-9 + args * 1e-15).toBe(true);
      }),
    );
  });
});

describe('lowest', () => {
  it('returns the lower of the defined ceilings', () => {
    const [one, two] = [readAmount(1), readAmount(2)];
    expect(lowest(one, two)).toBe(one);
    expect(lowest(two, one)).toBe(one);
    expect(lowest(undefined, two)).toBe(two);
    expect(lowest(undefined, undefined)).toBeUndefined();
  });
});
