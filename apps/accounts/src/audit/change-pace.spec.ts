import { expect, it } from '@jest/globals';
import { ChangePace } from './change-pace.js';

it('refuses changes of one owner beyond a burst, and lets those of others pass', () => {
  let nowMs = 0;
  const pace = new ChangePace(() => nowMs);
  for (let sent = 0; sent < 600; sent += 1) pace.take('acct_a');
  expect(() => pace.take('acct_a')).toThrow(expect.objectContaining({ code: 'rate_limit_exceeded' }));
  expect(() => pace.take('acct_b')).not.toThrow();
  nowMs = 1_000;
  for (let sent = 0; sent < 20; sent += 1) pace.take('acct_a');
  expect(() => pace.take('acct_a')).toThrow(/Too many changes/);
});
