import { describe, expect, it } from '@jest/globals';
import type { Worker } from 'bullmq';
import { skipIdleChecks } from './skip-idle-checks.js';

/** Runs as many checks as there are counts, one by one, and returns what each has done. */
async function checksOf(activeCounts: readonly number[], checks: number): Promise<readonly string[]> {
  const counts = [...activeCounts];
  let done: string[] = [];
  const worker = {
    async moveStalledJobsToWait() {
      done.push('looked');
    },
  };
  skipIdleChecks(worker as unknown as Worker, async () => {
    done.push('counted');
    return counts.shift() ?? 0;
  });
  const all: string[] = [];
  for (let check = 0; check < checks; check += 1) {
    done = [];
    await worker.moveStalledJobsToWait();
    all.push(done.join(' and '));
  }
  return all;
}

describe('the checks for stalled jobs', () => {
  it('look each time while jobs are active', async () => {
    const looked = 'counted and looked';
    expect(await checksOf([1, 2, 1], 3)).toEqual([looked, looked, looked]);
  });

  it('count every other time while none is, and look at once when there is one', async () => {
    expect(await checksOf([0, 0, 1, 0], 7)).toEqual([
      'counted',
      '',
      'counted',
      '',
      'counted and looked',
      'counted',
      '',
    ]);
  });

  it('fail if BullMQ has no such check', () => {
    expect(() => skipIdleChecks({} as Worker, async () => 0)).toThrow(TypeError);
  });
});
