import { describe, expect, it } from '@jest/globals';
import { DriftHistory } from './drift-history.js';

const noted = (...rounds: (bigint | null)[]) => {
  const history = new DriftHistory();
  for (const drift of rounds) history.record(drift === null ? new Map() : new Map([['acct_a', drift]]));
  return history;
};

describe('the history of differences', () => {
  it('counts one that was the same three times in a row', () => {
    expect(noted(5n, 5n, 5n).lasting).toEqual([{ accountId: 'acct_a', driftNanoUsd: 5n, rounds: 3 }]);
    expect(noted(5n, 5n).lasting).toEqual([]);
  });

  it('takes what changes for money on its way', () => {
    expect(noted(5n, 6n, 5n, 6n).lasting).toEqual([]);
    expect(noted(5n, 5n, 0n, 5n).lasting).toEqual([]);
  });

  it('keeps what it knows of an account that could not be observed', () => {
    expect(noted(5n, 5n, null, 5n).lasting).toMatchObject([{ rounds: 3 }]);
  });

  it('forgets what was repaired', () => {
    expect(noted(5n, 5n, 5n, 0n).lasting).toEqual([]);
  });

  it('repairs only what lasts twice as long', () => {
    expect(noted(5n, 5n, 5n, 5n, 5n).toRepair).toEqual([]);
    expect(noted(5n, 5n, 5n, 5n, 5n, 5n).toRepair).toMatchObject([{ driftNanoUsd: 5n }]);
  });
});
