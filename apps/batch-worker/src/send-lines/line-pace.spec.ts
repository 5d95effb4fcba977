import { describe, expect, it } from '@jest/globals';
import { LinePace } from './line-pace.js';

const NO_RATE = {};
const endMany = (pace: LinePace, count: number): void => {
  for (let line = 0; line < count; line += 1) pace.onEnded(NO_RATE, 0);
};

describe('LinePace', () => {
  it('grows to its share of the worker while lines end, and no further', () => {
    const pace = new LinePace(() => 20);
    expect(pace.linesAtOnce).toBe(4);
    endMany(pace, 200);
    expect(pace.linesAtOnce).toBe(20);
  });

  it('shrinks at a limit of the account, but never stands still', () => {
    const pace = new LinePace(() => 20);
    endMany(pace, 200);
    pace.onLimited();
    expect(pace.linesAtOnce).toBe(14);
    for (let time = 0; time < 50; time += 1) pace.onLimited();
    expect(pace.linesAtOnce).toBe(1);
  });

  it('leaves half of the rate to others: it waits until so much has returned', () => {
    const pace = new LinePace(() => 20);
    const rate = (remaining: number) => ({
      'x-ratelimit-limit-requests': '600',
      'x-ratelimit-remaining-requests': String(remaining),
    });
    pace.onEnded(rate(300), 1_000);
    expect(pace.pauseMs(1_000)).toBe(0);
    pace.onEnded(rate(290), 1_000);
    expect(pace.pauseMs(1_000)).toBe(1_000);
    expect(pace.pauseMs(2_000)).toBe(0);
  });
});
