import { expect, it } from '@jest/globals';
import { costOf, sumUsd, tokensOf } from './estimate-cost.js';

it('prices units exactly, and rounds a fraction of a nano-dollar up once', () => {
  expect(costOf({ input_token: 1_000_000, output_token: 10 }, { input_token: '0.30', output_token: '2.50' })).toBe(
    '0.300025000',
  );
  expect(costOf({ input_token: 1 }, { input_token: '0.0001' })).toBe('0.000000001');
  expect(costOf({}, { input_token: '3' })).toBe('0.000000000');
});

it('counts nothing for a unit without a price', () => {
  expect(costOf({ web_search: 3 }, { input_token: '3' })).toBe('0.000000000');
});

it('estimates four characters a token', () => {
  expect([0, 1, 4, 5].map(tokensOf)).toEqual([0, 1, 1, 2]);
});

it('sums decimal dollars', () => {
  expect(sumUsd(['0.1', '0.2', '12'])).toBe('12.300000000');
});
