import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UsageSettled } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Settler } from './settler.js';
import { Spool } from './spool.js';

const event = (requestId: string): UsageSettled => ({
  schemaVersion: 1,
  requestId,
  accountId: 'acct_a',
  keyId: 'key_a',
  endpoint: 'chat.completions',
  model: 'cl-opus-4-7',
  outcome: 'completed',
  holdNanoUsd: '10',
  costNanoUsd: '7',
  priceVersion: 'p',
  unitPrices: {},
  units: {},
  isEstimated: false,
  attempts: [],
  admittedAtMs: 1,
  settledAtMs: 2,
});

const SETTLEMENT = {
  applied: true,
  holdFound: true,
  outcome: 'completed' as const,
  costNanoUsd: 2n,
  balanceNanoUsd: 3n,
};

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('Settler', () => {
  it('retries until the settlement succeeds, once for concurrent callers', async () => {
    let calls = 0;
    const settler = new Settler({
      settle: async () => {
        calls += 1;
        if (calls < 3) throw new Error('away');
        return SETTLEMENT;
      },
      onError: () => undefined,
    });
    const both = await Promise.all([settler.settle(event('req_a'), 10_000), settler.settle(event('req_a'), 10_000)]);
    expect(both).toEqual([SETTLEMENT, SETTLEMENT]);
    expect(calls).toBe(3);
    expect(settler.openCount).toBe(0);
  });

  it('returns after the wait time and continues in the background', async () => {
    const { promise, resolve } = Promise.withResolvers<typeof SETTLEMENT>();
    const settler = new Settler({ settle: () => promise, onError: () => undefined });
    expect(await settler.settle(event('req_a'), 1)).toBeUndefined();
    expect(settler.openCount).toBe(1);
    resolve(SETTLEMENT);
    expect(await settler.drain(10_000)).toBe(0);
  });

  it('waits for a settlement also when the grace time is over', async () => {
    const settle = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return SETTLEMENT;
    };
    const settler = new Settler({ settle, onError: () => undefined });
    settler.settleInBackground(event('req_a'));
    expect(await settler.drain(0)).toBe(0);
  });

  it('spools a failed settlement, which a later process resumes and deletes', async () => {
    let calls = 0;
    const first = new Settler({
      // Rejects once, then never settles.
      settle: () => {
        calls += 1;
        return calls === 1 ? Promise.reject(new Error('away')) : new Promise(() => undefined);
      },
      spool: new Spool(directory),
      onError: () => undefined,
    });
    first.settleInBackground(event('req_a'));
    while ((await readdir(directory)).join() !== 'req_a.json') await new Promise(setImmediate);

    const settled: string[] = [];
    const second = new Settler({
      settle: async ({ requestId }) => {
        settled.push(requestId);
        return SETTLEMENT;
      },
      spool: new Spool(directory),
      onError: () => undefined,
    });
    expect(await second.resume()).toBe(1);
    expect(await second.drain(10_000)).toBe(0);
    expect(settled).toEqual(['req_a']);
    expect(await readdir(directory)).toEqual([]);
  });

  it('settles once what a disk does not delete', async () => {
    const calls: string[] = [];
    const failures: unknown[] = [];
    const settler = new Settler({
      settle: async ({ requestId }) => {
        calls.push(requestId);
        if (calls.length === 1) throw new Error('away');
        // No file any more, so that its deletion fails.
        await rm(join(directory, 'req_a.json'));
        await mkdir(join(directory, 'req_a.json'));
        return SETTLEMENT;
      },
      spool: new Spool(directory),
      onError: (error) => failures.push(error),
    });
    expect(await settler.settle(event('req_a'), 10_000)).toEqual(SETTLEMENT);
    expect(settler.openCount).toBe(0);
    expect([calls.length, failures.length]).toEqual([2, 2]);
  });

  it('leaves no part of what did not fit, and settles one that is whole', async () => {
    await writeFile(join(directory, 'req_a.json.part'), JSON.stringify(event('req_a')));
    await writeFile(join(directory, 'req_b.json.part'), '{"schemaVersion": 1, "requ');
    expect((await new Spool(directory).readAll()).map(({ requestId }) => requestId)).toEqual(['req_a']);
    expect(await readdir(directory)).toEqual(['req_a.json']);
  });

  it('names the file of the spool that is no settlement, and leaves it', async () => {
    await writeFile(join(directory, 'req_b.json'), '{}');
    const settler = new Settler({
      settle: async () => SETTLEMENT,
      spool: new Spool(directory),
      onError: () => undefined,
    });
    await expect(settler.resume()).rejects.toThrow(join(directory, 'req_b.json'));
    expect(await readdir(directory)).toEqual(['req_b.json']);
  });
});
