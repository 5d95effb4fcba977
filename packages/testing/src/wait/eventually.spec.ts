import { describe, expect, it } from '@jest/globals';
import { eventually } from './eventually.js';

const patiently = { intervalMs: 1 };
const inVain = { withinMs: 30, intervalMs: 1 };

describe('eventually', () => {
  it('returns the result of the check once it stops throwing', async () => {
    let looks = 0;
    const found = await eventually(() => {
      looks += 1;
      if (looks < 3) throw new Error('not yet');
      return looks;
    }, patiently);
    expect(found).toBe(3);
  });

  it('repeats while the check returns false', async () => {
    const answers = [false, false, true];
    expect(await eventually(() => answers.shift(), patiently)).toBe(true);
  });

  it('throws the last error at the deadline', async () => {
    const never = eventually(() => {
      throw new Error('still nothing');
    }, inVain);
    await expect(never).rejects.toThrow('still nothing');
  });

  it('names the check that never returned true', async () => {
    const isDone = () => false;
    await expect(eventually(isDone, inVain)).rejects.toThrow('never came true: ()');
  });
});
