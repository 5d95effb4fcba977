import type { KeyRecord } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import type { ModelAccess } from '../../admit/model-access.service.js';
import { QuoteBatch } from './quote-batch.service.js';
import type { QuotedLine } from './quote-lines.js';

const KEY = { isTest: false } as unknown as KeyRecord;
const MODELS = { scopeOf: () => ({}) } as unknown as ModelAccess;
const LINE: QuotedLine = { number: 1, customId: 'a', model: 'one', likelyNanoUsd: 1_000_000n, mostNanoUsd: 2_000_000n };

const input = () => ({
  fileId: 'file-1',
  endpoint: 'chat.completions' as const,
  chunks: (async function* () {
    yield Buffer.from('{"custom_id":"a"}\n');
  })(),
  isLeft: () => false,
});

const failed = (): Promise<never> => Promise.reject(new Error('the thread has ended'));

describe('a quote', () => {
  it('refuses another one while it runs, and says when to try again', async () => {
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

  it('lets the next one run after a failure', async () => {
    const threads = { run: failed };
    const quotes = new QuoteBatch(threads, MODELS);
    await expect(quotes.quote(KEY, input())).rejects.toThrow('the thread has ended');
    threads.run = () => Promise.resolve([LINE]) as Promise<never>;
    expect(await quotes.quote(KEY, input())).toMatchObject({ valid: true });
  });
});
