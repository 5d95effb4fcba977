import { newAccountId } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { RefusalPauses } from './refusal-pauses.js';

describe('the pause before a refusal', () => {
  it('is a second, and longer with every connection that goes on', () => {
    let nowMs = 0;
    const pauses = new RefusalPauses(() => nowMs);
    const [flooding, other] = [newAccountId(), newAccountId()];
    for (let refusal = 0; refusal < 199; refusal += 1) expect(pauses.next(flooding)).toBe(1_000);
    const flood = Array.from({ length: 100 }, () => pauses.next(flooding));
    expect(flood).toEqual(flood.toSorted((a, b) => a - b));
    expect(flood.at(-1)).toBeGreaterThan(5_000);
    for (let refusal = 0; refusal < 1_000; refusal += 1) expect(pauses.next(flooding)).toBeLessThanOrEqual(11_050);
    expect(pauses.next(other)).toBe(1_000);
    nowMs += 20_000;
    expect(pauses.next(flooding)).toBe(1_000);
  });
});
