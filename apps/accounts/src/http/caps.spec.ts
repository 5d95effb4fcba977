import { parse } from '@gateway/json-service';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { caps, capViews } from './caps.js';

const schema = z.strictObject({ caps });
const DAY = { period: 'day', measure: 'usd', limit: '5' } as const;

describe('caps', () => {
  it('are stored as digits, hard unless they say otherwise', () => {
    const given = [DAY, { period: 'life', measure: 'tokens', limit: 9, hard: false }];
    expect(parse(schema, { caps: given }).caps).toEqual([
      { period: 'day', measure: 'usd', limit: '5000000000', hard: true },
      { period: 'life', measure: 'tokens', limit: '9', hard: false },
    ]);
  });

  it.each([
    [{ ...DAY, period: 'year' }, 'caps[0].period'],
    [{ ...DAY, measure: 'images' }, 'caps[0].measure'],
    [{ ...DAY, limit: 5 }, 'caps[0].limit'],
    [{ ...DAY, limit: '0' }, 'caps[0].limit'],
    [{ ...DAY, measure: 'requests', limit: '5' }, 'caps[0].limit'],
    [{ ...DAY, measure: 'requests', limit: 0 }, 'caps[0].limit'],
    [{ ...DAY, hard: 'yes' }, 'caps[0].hard'],
    [{ ...DAY, resets: true }, 'caps[0].resets'],
  ])('refuses %j by the name of the field', (given, param) => {
    expect(() => parse(schema, { caps: [given] })).toThrow(expect.objectContaining({ details: { param } }));
  });

  it('refuses two caps of one kind, and takes a soft one below a hard one', () => {
    const soft = { ...DAY, limit: '4', hard: false };
    expect(parse(schema, { caps: [DAY, soft] }).caps).toHaveLength(2);
    expect(() => parse(schema, { caps: [DAY, soft, { ...DAY, limit: '9' }] })).toThrow(
      expect.objectContaining({ details: { param: 'caps[2]' } }),
    );
  });
});

it('capViews shows what is used and when it resets', () => {
  const counts = { requests: '3', tokens: '70', cost: '1500000000', version: '2' };
  const times = { startsAtMs: 0, endsAtMs: 86_400_000, nextEndsAtMs: null };
  const both = [
    { measure: 'usd' as const, limit: '2000000000', hard: true },
    { measure: 'requests' as const, limit: '9', hard: false },
  ];
  const resets = { period: 'day', resets_at: '1970-01-02T00:00:00.000Z' };
  expect(capViews([{ ownerId: 'key_a', period: 'day', ...times, ...counts, caps: both }])).toEqual([
    { ...resets, measure: 'usd', limit: '2.00', hard: true, used: '1.50' },
    { ...resets, measure: 'requests', limit: 9, hard: false, used: 3 },
  ]);
});
