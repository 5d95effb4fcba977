import { newAccountId } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { HistoryPace } from './history-pace.js';

const MEBIBYTE = 1024 * 1024;

describe('the pace of long histories', () => {
  it('lets an account load two of 8 MiB at once, and one more each two seconds', () => {
    let nowMs = 0;
    const pace = new HistoryPace(() => nowMs);
    const [account, other] = [newAccountId(), newAccountId()];
    const load = (): void => pace.take(account, 16 * MEBIBYTE);
    for (let history = 0; history < 2; history += 1) load();
    expect(load).toThrow(expect.objectContaining({ code: 'rate_limit_exceeded' }));
    pace.take(other, 16 * MEBIBYTE);
    nowMs += 2_000;
    load();
    expect(load).toThrow('too many long histories');
  });

  it('lets the longest history pass, whose debt takes four seconds', () => {
    let nowMs = 0;
    const pace = new HistoryPace(() => nowMs);
    const account = newAccountId();
    pace.take(account, 64 * MEBIBYTE);
    nowMs += 4_000;
    expect(() => pace.take(account, 1)).toThrow('too many long histories');
    nowMs += 1;
    pace.take(account, 1);
  });
});
