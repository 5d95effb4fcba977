import { describe, expect, it } from '@jest/globals';
import { withTimeout } from './with-timeout.js';

const never = new Promise<never>(() => undefined);

describe('withTimeout', () => {
  it('gives the result of work that ends in time', async () => {
    expect(await withTimeout(Promise.resolve(1), 60_000, () => 2)).toBe(1);
  });

  it('rejects as the work does', async () => {
    await expect(withTimeout(Promise.reject(new Error('broken')), 60_000, () => 2)).rejects.toThrow('broken');
  });

  it('gives the fallback when the time is over', async () => {
    expect(await withTimeout(never, 1, () => 2)).toBe(2);
  });

  it('rejects with the error that the fallback throws', async () => {
    const fail = () => {
      throw new Error('late');
    };
    await expect(withTimeout(never, 1, fail)).rejects.toThrow('late');
  });

  it('ignores the rejection of late work', async () => {
    const work = Promise.withResolvers<number>();
    expect(await withTimeout(work.promise, 1, () => 2)).toBe(2);
    work.reject(new Error('late'));
    await new Promise(setImmediate);
  });
});
