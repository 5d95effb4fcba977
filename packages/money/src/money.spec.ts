import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { costOf, countOf, formatUsd, nanoUsd, parseNanoUsd, parseUsd, ratesOf } from './index.js';

describe('USD as decimal text', () => {
  it('is parsed and formatted exactly', () => {
    expect(parseUsd('4.998213')).toBe(4_998_213_000n);
    expect(parseUsd('-0.000000001')).toBe(-1n);
    expect(formatUsd(0n)).toBe('0.00');
    expect(formatUsd(-1n)).toBe('-0.000000001');
    expect(formatUsd(10_500_000_000n)).toBe('10.50');
  });

  it('survives a round trip for every amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), (value) => parseUsd(formatUsd(value)) === value),
    );
  });

  it.each(['', '1.', '.5', '1e3', '1.0000000001', ' 1', '1,5', 'NaN'])('rejects %j', (text) => {
    expect(() => parseUsd(text)).toThrow(RangeError);
  });

  it('accepts only digits as nano-USD', () => {
    expect(parseNanoUsd('-12')).toBe(nanoUsd(-12n));
    expect(() => parseNanoUsd('1.5')).toThrow(RangeError);
  });
});

describe('costOf', () => {
  it('rounds up once for all units together', () => {
    const rates = ratesOf({ a: '0.000000001', b: '0.000000001' });
    expect(costOf({ a: 1, b: 1 }, rates)).toBe(1n);
    expect(costOf({ a: 1_000_000, b: 1 }, rates)).toBe(2n);
  });

  it('equals the exact fraction, rounded up', () => {
    const count = fc.integer({ min: 0, max: 10_000_000 });
    const rate = fc.bigInt({ min: 0n, max: 10n ** 12n });
    fc.assert(
      fc.property(count, rate, count, rate, (a, rateA, b, rateB) => {
        const exact = BigInt(a) * rateA + BigInt(b) * rateB;
        const cost = costOf({ a, b }, { a: rateA, b: rateB });
        return cost * 1_000_000n >= exact && (cost - 1n) * 1_000_000n < exact;
      }),
    );
  });

  it('rejects counts that are not whole numbers from 0, and units without a price', () => {
    const rates = ratesOf({ a: '1' });
    for (const a of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => costOf({ a }, rates)).toThrow(RangeError);
    expect(() => costOf({ b: 1 }, rates)).toThrow(RangeError);
    expect(costOf({ b: 0, a: undefined }, rates)).toBe(0n);
  });
});

describe('countOf', () => {
  it('is the largest count whose cost is at most the amount', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 12n });
    const rate = fc.bigInt({ min: 1_000n, max: 10n ** 12n });
    fc.assert(
      fc.property(amount, rate, (most, a) => {
        const count = countOf('a', most, { a });
        return costOf({ a: count }, { a }) <= most && costOf({ a: count + 1 }, { a }) > most;
      }),
    );
  });

  it('is 0 for a debt', () => {
    expect(countOf('a', -1_000_000n, ratesOf({ a: '1' }))).toBe(0);
  });

  it('rejects a unit that is free or has no price', () => {
    for (const unit of ['free', 'unknown']) expect(() => countOf(unit, 1n, ratesOf({ free: '0' }))).toThrow(RangeError);
  });
});
