import { afterAll, describe, expect, it } from '@jest/globals';
import { ThreadPool } from './thread-pool.js';

const faults: unknown[] = [];
const pool = new ThreadPool({
  file: new URL('./test-support/handlers.mjs', import.meta.url),
  maxThreads: 1,
  onFault: (error) => faults.push(error),
});
afterAll(() => pool.close());

describe('a thread', () => {
  it('returns what its handler returns, and moves memory both ways', async () => {
    const bytes = new Uint8Array(2_000_000).fill(7);
    const { first, bytes: returned } = await pool.run<{ first: number; bytes: Uint8Array }>('echo', { bytes }, [
      bytes.buffer,
    ]);
    expect([first, returned.length, bytes.length]).toEqual([7, 2_000_000, 0]);
  });

  it('passes on the error of a handler with its code and details', async () => {
    await expect(pool.run('refuse', {})).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'wrong',
      details: { param: 'a' },
    });
    expect(faults).toEqual([]);
  });

  it('that fails makes the call fail with 503, is reported, and the next one runs', async () => {
    await expect(pool.run('fail', {})).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(pool.run('exit', {})).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(faults).toHaveLength(2);
    expect(await pool.run('echo', { bytes: new Uint8Array([5]) })).toMatchObject({ first: 5 });
  });
});
