import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { Loop } from './loop.js';

const HOUR_MS = 3_600_000;

describe('Loop', () => {
  it('runs one round at a time, however often it is started', async () => {
    let running = 0;
    let rounds = 0;
    const third = Promise.withResolvers<void>();
    const loop = new Loop({
      intervalMs: 1,
      run: async () => {
        running += 1;
        expect(running).toBe(1);
        await new Promise(setImmediate);
        running -= 1;
        rounds += 1;
        if (rounds === 3) third.resolve();
      },
      onError: third.reject,
    });
    loop.start();
    loop.start();
    await third.promise;
    await loop.stop();
  });

  it('ends a pause early when it is kicked', async () => {
    const rounds = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let round = 0;
    const loop = new Loop({
      intervalMs: HOUR_MS,
      run: async () => {
        rounds[round]?.resolve();
        round += 1;
      },
      onError: () => undefined,
    });
    loop.start();
    await rounds[0]?.promise;
    await new Promise(setImmediate);
    loop.kick();
    await rounds[1]?.promise;
    await loop.stop();
    expect(round).toBe(2);
  });

  it('doubles its pause while rounds find nothing, and returns to the interval with the first that does', async () => {
    const pauses: number[] = [];
    const over = Promise.withResolvers<void>();
    const found = [false, false, false, false, true, false];
    const loop = new Loop({
      intervalMs: 1,
      maxIntervalMs: 4,
      run: async () => {
        const isFound = found[pauses.length];
        if (isFound === undefined) over.resolve();
        else if (!isFound) loop.backOff();
      },
      onError: over.reject,
      sleep: async (pauseMs) => {
        pauses.push(pauseMs);
      },
    });
    loop.start();
    await over.promise;
    await loop.stop();
    expect(pauses.slice(0, 6)).toEqual([1, 2, 4, 4, 1, 1]);
  });

  it('reports a repeated error once, and goes on', async () => {
    const errors: unknown[] = [];
    const third = Promise.withResolvers<void>();
    let round = 0;
    const failure = new Error('away');
    const loop = new Loop({
      intervalMs: 1,
      run: async () => {
        round += 1;
        if (round === 3) third.resolve();
        throw failure;
      },
      onError: (error) => errors.push(error),
    });
    loop.start();
    await third.promise;
    await loop.stop();
    expect(errors).toEqual([failure]);
  });

  it('aborts the signal of the current round on stop, and resolves when that round ends', async () => {
    const started = Promise.withResolvers<void>();
    let hasEnded = false;
    const loop = new Loop({
      intervalMs: HOUR_MS,
      run: async (signal) => {
        started.resolve();
        await once(signal, 'abort');
        hasEnded = true;
      },
      onError: () => undefined,
    });
    loop.start();
    await started.promise;
    await loop.stop();
    expect(hasEnded).toBe(true);
  });
});
