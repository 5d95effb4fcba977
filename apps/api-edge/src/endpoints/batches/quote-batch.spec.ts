import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { KeyRecord } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import type { ModelAccess } from '../../admit/model-access.service.js';
import { QuoteBatch } from './quote-batch.service.js';
import type { QuotedLine } from './quote-lines.js';

const keyOf = (accountId: string) => ({ isTest: false, accountId }) as unknown as KeyRecord;
const KEY = keyOf('acc_one');
const OTHER = keyOf('acc_other');
const MODELS = { scopeOf: () => ({}) } as unknown as ModelAccess;
const LINE: QuotedLine = { number: 1, customId: 'a', model: 'one', likelyNanoUsd: 1_000_000n, mostNanoUsd: 2_000_000n };

const input = (lines = 1) => ({
  fileId: 'file-1',
  endpoint: 'chat.completions' as const,
  chunks: (async function* () {
    yield Buffer.from('{"custom_id":"a"}\n'.repeat(lines));
  })(),
  isLeft: () => false,
});

const eventually = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await turnOfLoop();
};

const failed = (): Promise<never> => Promise.reject(new Error('the thread has ended'));

describe('a quote', () => {
  it('refuses another one of its account while it runs, and says when to try again', async () => {
    const { promise, resolve } = Promise.withResolvers<readonly QuotedLine[]>();
    const quotes = new QuoteBatch({ run: () => promise as Promise<never> }, MODELS);
    const first = quotes.quote(KEY, input());
    await expect(quotes.quote(KEY, input())).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
      details: { retryAfterMs: 2_000 },
    });
    resolve([LINE]);
    expect(await first).toMatchObject({ valid: true, request_counts: { total: 1, valid: 1, wrong: 0 } });
    expect(await quotes.quote(KEY, input())).toMatchObject({ valid: true });
  });

  it('of another account waits for one call of a long one, and both use one thread', async () => {
    const calls: { readonly lines: number; readonly end: () => void }[] = [];
    const run = (_name: string, { lines }: { lines: readonly object[] }) => {
      const { promise, resolve } = Promise.withResolvers<readonly QuotedLine[]>();
      calls.push({ lines: lines.length, end: () => resolve([LINE]) });
      return promise as Promise<never>;
    };
    const quotes = new QuoteBatch({ run: run as never }, MODELS);
    const long = quotes.quote(KEY, input(600));
    await eventually(() => calls.length === 1);
    const short = quotes.quote(OTHER, input());
    await turnOfLoop();
    expect(calls).toHaveLength(1);
    calls[0]?.end();
    await eventually(() => calls.length === 2);
    expect(calls[1]?.lines).toBe(1);
    calls[1]?.end();
    expect(await short).toMatchObject({ request_counts: { total: 1 } });
    for (const at of [2, 3]) {
      await eventually(() => calls.length === at + 1);
      calls[at]?.end();
    }
    await long;
    expect(calls.map(({ lines }) => lines)).toEqual([200, 1, 200, 200]);
  });

  it('is refused beyond sixteen accounts', async () => {
    const { promise, resolve } = Promise.withResolvers<readonly QuotedLine[]>();
    const quotes = new QuoteBatch({ run: () => promise as Promise<never> }, MODELS);
    const running = Array.from({ length: 16 }, (_, at) => quotes.quote(keyOf(`acc_${at}`), input()));
    await expect(quotes.quote(OTHER, input())).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    resolve([LINE]);
    await Promise.all(running);
    expect(await quotes.quote(OTHER, input())).toMatchObject({ valid: true });
  });

  it('lets the next one run after a failure', async () => {
    const threads = { run: failed };
    const quotes = new QuoteBatch(threads, MODELS);
    await expect(quotes.quote(KEY, input())).rejects.toThrow('the thread has ended');
    threads.run = () => Promise.resolve([LINE]) as Promise<never>;
    expect(await quotes.quote(KEY, input())).toMatchObject({ valid: true });
  });
});
