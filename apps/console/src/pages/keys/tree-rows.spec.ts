import { describe, expect, it } from '@jest/globals';
import type { ApiKey } from '../../api/keys.js';
import { hasEnded, leftOf, treeRows } from './tree-rows.js';

const key = (id: string, parent_id: string | null = null) => ({ id, parent_id }) as ApiKey;

describe('treeRows', () => {
  it('puts each key before those that it made', () => {
    const rows = treeRows([key('c', 'b'), key('a'), key('b', 'a'), key('d')]);
    expect(rows.map(({ apiKey, depth }) => [apiKey.id, depth])).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 2],
      ['d', 0],
    ]);
  });

  it('shows a key whose parent the person does not manage', () => {
    expect(treeRows([key('b', 'unknown')])).toEqual([{ apiKey: key('b', 'unknown'), depth: 0 }]);
  });
});

describe('hasEnded', () => {
  it.each([
    [null, false],
    ['2026-11-23T21:45:51.213Z', false],
    ['2026-11-23T21:45:51.212Z', true],
  ])('compares the end %p with the clock', (expires_at, hasIt) => {
    expect(hasEnded({ expires_at }, Date.parse('2026-11-23T21:45:51.212Z'))).toBe(hasIt);
  });
});

describe('leftOf', () => {
  const spent = { spent_usd: '0.100000001', reserved_usd: '0.40' };

  it('takes away what was spent and what children have', () => {
    expect(leftOf({ spend_cap_usd: '1.00', ...spent })).toBe('0.499999999');
  });

  it('is never below zero, and null without a budget', () => {
    expect(leftOf({ spend_cap_usd: '0.20', ...spent })).toBe('0.000000000');
    expect(leftOf({ spend_cap_usd: null, ...spent })).toBeNull();
  });
});
