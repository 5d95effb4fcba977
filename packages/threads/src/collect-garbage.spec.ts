import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { garbageCollector } from './collect-garbage.js';

const MEBIBYTE = 1024 * 1024;
const TURNS = 5;
const PAUSE_MS = 5_000;

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
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance', 'nextTick', 'queueMicrotask'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const rest = (): void => {
    jest.advanceTimersByTime(PAUSE_MS);
  };

  it('is collected after a long text, once the thread rests', async () => {
    const collect = garbageCollector();
    expect(await forcedCollections(() => collect(MEBIBYTE))).toBe(0);
    expect(await forcedCollections(rest)).toBeGreaterThan(0);
  });

  it('is collected once for the long texts of a busy thread', async () => {
    const collect = garbageCollector();
    collect(MEBIBYTE);
    const one = await forcedCollections(rest);
    for (let text = 0; text < 10; text += 1) {
      expect(await forcedCollections(() => collect(MEBIBYTE))).toBe(0);
      jest.advanceTimersByTime(PAUSE_MS - 1);
    }
    expect(await forcedCollections(rest)).toBe(one);
    expect(await forcedCollections(rest)).toBe(0);
  });

  it('is collected at once after 64 MiB, although the thread is busy', async () => {
    const collect = garbageCollector();
    collect(MEBIBYTE);
    const one = await forcedCollections(rest);
    const several = await forcedCollections(() => {
      for (let text = 0; text < 80; text += 1) collect(MEBIBYTE);
    });
    expect(several).toBe(one);
    expect(await forcedCollections(rest)).toBe(0);
  });

  it('waits for V8 after a short one: a stream has thousands of them', async () => {
    const collect = garbageCollector();
    expect(await forcedCollections(() => collect(MEBIBYTE - 1))).toBe(0);
    expect(await forcedCollections(rest)).toBe(0);
  });
});
