import { mkdtemp, readdir, rm } from 'node:fs/promises';
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

const MADE = { applied: true, holdFound: true, outcome: 'completed' as const, balanceNanoUsd: 3n };

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('Settler', () => {
  it('makes a settlement again until it is made, and only once for concurrent callers', async () => {
    let calls = 0;
    const settler = new Settler({
      settle: async () => {
        calls += 1;
        if (calls < 3) throw new Error('away');
        return MADE;
      },
      onError: () => undefined,
    });
    const both = await Promise.all([settler.settle(event('req_a'), 10_000), settler.settle(event('req_a'), 10_000)]);
    expect(both).toEqual([MADE, MADE]);
    expect(calls).toBe(3);
    expect(settler.openCount).toBe(0);
  });

  it('lets an answer go on without it, and still makes it', async () => {
    const { promise, resolve } = Promise.withResolvers<typeof MADE>();
    const settler = new Settler({ settle: () => promise, onError: () => undefined });
    expect(await settler.settle(event('req_a'), 1)).toBeUndefined();
    expect(settler.openCount).toBe(1);
    resolve(MADE);
    expect(await settler.drain(10_000)).toBe(0);
  });

  it('leaves what could not be made in the spool, and a later process takes it up and clears it', async () => {
    let calls = 0;
    const first = new Settler({
      // Refused once, and then, as far as this process will ever know, unanswered.
      settle: () => {
        calls += 1;
        return calls === 1 ? Promise.reject(new Error('away')) : new Promise(() => undefined);
      },
      spool: new Spool(directory),
      onError: () => undefined,
    });
    first.settleInBackground(event('req_a'));
    while ((await readdir(directory)).join() !== 'req_a.json') await new Promise(setImmediate);

    const made: string[] = [];
    const second = new Settler({
      settle: async ({ requestId }) => {
        made.push(requestId);
        return MADE;
      },
      spool: new Spool(directory),
      onError: () => undefined,
    });
    expect(await second.resume()).toBe(1);
    expect(await second.drain(10_000)).toBe(0);
    expect(made).toEqual(['req_a']);
    expect(await readdir(directory)).toEqual([]);
  });
});
