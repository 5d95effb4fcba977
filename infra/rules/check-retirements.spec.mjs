import { describe, expect, it } from '@jest/globals';
import { faultsOfRetirements } from './check-retirements.mjs';

const CATALOGUE = `m-1 (a) → openai/a over x
  on embeddings
  retires 2026-12-01: refused, nearest m-2
m-2 (b) → openai/b over x
  retires 2026-01-01: served by m-3
`;

describe('the check of retirements', () => {
  it('names each model that has ended without a successor', () => {
    expect(faultsOfRetirements(CATALOGUE, '2026-11-30')).toEqual([]);
    expect(faultsOfRetirements(CATALOGUE, '2026-12-01')).toEqual([
      'm-1 ended on 2026-12-01: name a successor, or move its names to families/retired-names.ts',
    ]);
  });
});
