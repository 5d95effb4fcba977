import { newAccountId } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { ReadPace } from './read-pace.js';

const [account, other] = [newAccountId(), newAccountId()];

describe('reads of an account', () => {
  it('pass at the rate for ever, and in a burst of half a minute', () => {
    let nowMs = 0;
    const pace = new ReadPace(10, () => nowMs);
    for (let count = 0; count < 10_000; count += 1) {
      pace.take(account);
      nowMs += 100;
    }
    for (let count = 0; count < 300; count += 1) pace.take(account);
  });

  it('beyond the burst are refused with the time to wait, and no other account is affected', () => {
    let nowMs = 0;
    const pace = new ReadPace(10, () => nowMs);
    for (let count = 0; count < 300; count += 1) pace.take(account);
    expect(() => pace.take(account)).toThrow(
      expect.objectContaining({ code: 'rate_limit_exceeded', details: { retryAfterMs: 100 } }),
    );
    pace.take(other);
    nowMs += 200;
    pace.take(account);
  });
});
