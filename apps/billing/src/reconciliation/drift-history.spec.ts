import { describe, expect, it } from '@jest/globals';
import { DriftHistory } from './drift-history.js';

const historyOf = (...rounds: (bigint | null)[]) => {
  const history = new DriftHistory();
  for (const drift of rounds) history.record(drift === null ? new Map() : new Map([['acct_a', drift]]));
  return history;
};

describe('DriftHistory', () => {
  it('reports a difference that was the same for three rounds', () => {
    expect(historyOf(5n, 5n, 5n).lasting).toEqual([{ accountId: 'acct_a', driftNanoUsd: 5n, rounds: 3 }]);
    expect(historyOf(5n, 5n).lasting).toEqual([]);
  });

  it('ignores a difference that changes, which is money in transit', () => {
    expect(historyOf(5n, 6n, 5n, 6n).lasting).toEqual([]);
    expect(historyOf(5n, 5n, 0n, 5n).lasting).toEqual([]);
  });

  it('keeps the rounds of an account that was not observed in between', () => {
    expect(historyOf(5n, 5n, null, 5n).lasting).toMatchObject([{ rounds: 3 }]);
  });

  it('forgets a repaired difference', () => {
    expect(historyOf(5n, 5n, 5n, 0n).lasting).toEqual([]);
  });

  it('repairs a difference only after six rounds', () => {
    expect(historyOf(5n, 5n, 5n, 5n, 5n).toRepair).toEqual([]);
    expect(historyOf(5n, 5n, 5n, 5n, 5n, 5n).toRepair).toMatchObject([{ driftNanoUsd: 5n }]);
  });
});
