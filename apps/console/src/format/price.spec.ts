import { describe, expect, it } from '@jest/globals';
import { shortPrice, unitPrice } from './price.js';

describe('the price of a unit', () => {
  it('is that of a million for tokens and characters', () => {
    expect(unitPrice('input_token', '5')).toEqual({ amount: '$5.00', isPerMillion: true });
    expect(unitPrice('cache_write_1h_token', '0.125')).toEqual({ amount: '$0.125', isPerMillion: true });
    expect(shortPrice('character', '10')).toBe('$10.00 / 1M');
  });

  it('is that of one for images, seconds and searches, with every digit', () => {
    expect(unitPrice('image', '35000')).toEqual({ amount: '$0.035', isPerMillion: false });
    expect(shortPrice('second_720p', '100000')).toBe('$0.10');
    expect(shortPrice('second_480p', '24105.6')).toBe('$0.0241056');
    expect(shortPrice('web_search', '10000')).toBe('$0.01');
    expect(shortPrice('video', '12000000')).toBe('$12.00');
  });
});
