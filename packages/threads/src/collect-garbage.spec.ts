import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { garbageCollector } from './collect-garbage.js';

const MEBIBYTE = 1024 * 1024;
const TURNS = 5;

/** An entry of the type `gc`. */
interface Collection {
  readonly detail: { readonly flags: number };
}

/** How many collections a program has asked for while `work` ran. V8's own do not count. */
async function forcedCollections(work: () => void): Promise<number> {
  let count = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries() as unknown as readonly Collection[]) {
      if ((detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0) count += 1;
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  work();
  for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
  observer.disconnect();
  return count;
}

describe('the garbage of a thread', () => {
  it('is collected after a long text, although the thread rests', async () => {
    const collect = garbageCollector();
    expect(await forcedCollections(() => collect(MEBIBYTE))).toBeGreaterThan(0);
  });

  it('is collected once for the long texts of one turn', async () => {
    const collect = garbageCollector();
    const one = await forcedCollections(() => collect(MEBIBYTE));
    const several = await forcedCollections(() => {
      for (let text = 0; text < 10; text += 1) collect(MEBIBYTE);
    });
    expect(several).toBe(one);
  });

  it('waits for V8 after a short one: a stream has thousands of them', async () => {
    const collect = garbageCollector();
    expect(await forcedCollections(() => collect(MEBIBYTE - 1))).toBe(0);
  });
});
