import { describe, expect, it } from '@jest/globals';
import { eventually } from './eventually.js';

const quickly = { intervalMs: 1 };
const briefly = { withinMs: 30, intervalMs: 1 };

describe('eventually', () => {
  it('returns the result of the check once it stops throwing', async () => {
    let runs = 0;
    const found = await eventually(() => {
      runs += 1;
      if (runs < 3) throw new Error('not yet');
      return runs;
    }, quickly);
    expect(found).toBe(3);
  });

  it('repeats while the check returns false', async () => {
    const results = [false, false, true];
    expect(await eventually(() => results.shift(), quickly)).toBe(true);
  });

  it('throws the last error at the deadline', async () => {
    const never = eventually(() => {
      throw new Error('still nothing');
    }, briefly);
    await expect(never).rejects.toThrow('still nothing');
  });

  it('names the check that never returned true', async () => {
    const isDone = () => false;
    await expect(eventually(isDone, briefly)).rejects.toThrow('never came true: ()');
  });
});
