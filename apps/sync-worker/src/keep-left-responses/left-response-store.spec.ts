import type { CompleteOutcome, IdempotencyStore } from '@gateway/redis';
import { describe, expect, it } from '@jest/globals';
import { fakeLogger, ticketOf } from '../test-support/fakes.js';
import { LeftResponseStore } from './left-response-store.js';

const HEAD = { status: 200, contentType: 'application/json' };
const MEBIBYTE = 1024 * 1024;

function setUp(outcomes: readonly (CompleteOutcome | Error)[], hasPostgres = true) {
  const calls: unknown[] = [];
  const left = [...outcomes];
  const { logger, lines } = fakeLogger();
  const records: Pick<IdempotencyStore, 'claim' | 'complete'> = {
    claim: async ({ keySha256 }) => {
      calls.push(['claim', keySha256.length]);
      return { outcome: 'began' };
    },
    complete: async ({ requestId }, { body }) => {
      calls.push(['complete', requestId, Buffer.isBuffer(body) ? body.length : body]);
      const outcome = left.shift() ?? 'kept';
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  };
  const responses = {
    putChunk: async ({ number, bytes }: { number: number; bytes: Buffer }) => void calls.push([number, bytes.length]),
    delete: async () => void calls.push('delete'),
  };
  const store = new LeftResponseStore(records, hasPostgres ? responses : undefined, logger);
  return { store, calls, lines };
}

describe('LeftResponseStore', () => {
  it("claims the result's record, and completes it", async () => {
    const { store, calls, lines } = setUp(['kept']);
    await store.store(ticketOf(), HEAD, Buffer.from('{}'));
    expect([calls, lines]).toEqual([
      [
        ['claim', 64],
        ['complete', 'req_1', 2],
      ],
      [],
    ]);
  });

  it('completes the record of a key, which its edge has claimed', async () => {
    const { store, calls } = setUp(['kept']);
    await store.store(ticketOf({ idempotencyKey: 'k' }), HEAD, Buffer.from('{}'));
    expect(calls).toEqual([['complete', 'req_1', 2]]);
  });

  it('writes a long response to PostgreSQL in chunks', async () => {
    const { store, calls } = setUp(['kept']);
    await store.store(ticketOf({ idempotencyKey: 'k' }), HEAD, Buffer.alloc(MEBIBYTE + 3));
    expect(calls).toEqual([
      [0, MEBIBYTE],
      [1, 3],
      ['complete', 'req_1', { spilledBytes: MEBIBYTE + 3 }],
    ]);
  });

  it.each<[string, readonly CompleteOutcome[], boolean, readonly unknown[]]>([
    [
      'both places of the account are full',
      ['full', 'full', 'not_kept'],
      true,
      [2, [0, 2], { spilledBytes: 2 }, 'delete', undefined],
    ],
    ['there is no PostgreSQL', ['full', 'not_kept'], false, [2, undefined]],
  ])('says only that the request has succeeded if %s', async (_what, outcomes, hasPostgres, expected) => {
    const { store, calls, lines } = setUp(outcomes, hasPostgres);
    await store.store(ticketOf({ idempotencyKey: 'k' }), HEAD, Buffer.from('{}'));
    const bodies = calls.map((call) => (Array.isArray(call) && call[0] === 'complete' ? call[2] : call));
    expect(bodies).toEqual(expected);
    expect(lines.map(([level]) => level)).toEqual(['warn']);
  });

  it('does not reject if Redis is away', async () => {
    const { store, lines } = setUp([new Error('away')]);
    await store.store(ticketOf(), HEAD, Buffer.from('{}'));
    expect(lines.map(([level]) => level)).toEqual(['warn']);
  });
});
