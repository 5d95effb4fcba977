import { describe, expect, it } from '@jest/globals';
import { exactUsd, nanoUsd, shortUsd, usdOfNano } from './money.js';

describe('shortUsd', () => {
  it.each([
    ['0.00', '$0.00'],
    ['12.4', '$12.40'],
    ['1234567.891', '$1,234,567.89'],
    ['0.5', '$0.50'],
    ['0.001234567', '$0.00123'],
    ['0.000000001', '$0.000000001'],
    ['-3', '−$3.00'],
    ['-0.00042', '−$0.00042'],
    ['0.999999999', '$0.999'],
  ])('shows as many digits of %s as matter', (amount, shown) => {
    expect(shortUsd(amount)).toBe(shown);
  });
});

it('shows all nine decimals where they count', () => {
  expect(exactUsd('-1234.5')).toBe('−$1,234.500000000');
});

it('sums without rounding', () => {
  const amounts = ['0.1', '0.2', '-0.000000001', '9007199254740993.000000001'];
  const sum = amounts.reduce((total, amount) => total + nanoUsd(amount), 0n);
  expect(usdOfNano(sum)).toBe('9007199254740993.300000000');
  expect(usdOfNano(-1n)).toBe('-0.000000001');
});
