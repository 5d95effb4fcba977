import { describe, expect, it } from '@jest/globals';
import { runAtMost } from './run-at-most.js';

describe('runAtMost', () => {
  it('keeps the order and never runs more at the same time than it may', async () => {
    let running = 0;
    let most = 0;
    const results = await runAtMost([3, 1, 2, 0, 5], 2, async (item) => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
      running -= 1;
      return item * 10;
    });
    expect(results).toEqual([30, 10, 20, 0, 50]);
    expect(most).toBe(2);
  });

  it('throws the first failure, and runs nothing without items', async () => {
    const run = async (item: number): Promise<number> => {
      if (item === 2) throw new Error('no');
      return item;
    };
    await expect(runAtMost([1, 2, 3], 2, run)).rejects.toThrow('no');
    await expect(runAtMost([], 2, run)).resolves.toEqual([]);
  });
});
