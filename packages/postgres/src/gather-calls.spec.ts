import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { DatabaseError } from 'pg';
import { isDatabaseUnavailable, isReplyLost } from './database-failure.js';
import { gatherCalls } from './gather-calls.js';

/** A statement that ends when the test says so. */
class Statements {
  readonly items: (readonly string[])[] = [];
  readonly #open: PromiseWithResolvers<void>[] = [];

  readonly run = async (items: readonly string[]): Promise<readonly string[]> => {
    this.items.push(items);
    const end = Promise.withResolvers<void>();
    this.#open.push(end);
    await end.promise;
    return items.map((item) => item.toUpperCase());
  };

  async end(error?: Error): Promise<void> {
    const statement = this.#open.shift();
    if (error === undefined) statement?.resolve();
    else statement?.reject(error);
    await new Promise(setImmediate);
  }
}

const refusal = (code: string): DatabaseError => Object.assign(new DatabaseError('refused', 7, 'error'), { code });

describe('gathered calls', () => {
  it('run at once, and those that come meanwhile are one statement', async () => {
    const statements = new Statements();
    const call = gatherCalls(statements.run);
    const first = call('a');
    await Promise.resolve();
    expect(statements.items).toEqual([['a']]);

    const others = Promise.all([call('b'), call('c')]);
    await new Promise(setImmediate);
    expect(statements.items).toHaveLength(1);

    await statements.end();
    expect(await first).toBe('A');
    expect(statements.items).toEqual([['a'], ['b', 'c']]);

    await statements.end();
    expect(await others).toEqual(['B', 'C']);
  });

  it('of one turn of the event loop are one statement', async () => {
    const statements = new Statements();
    const call = gatherCalls(statements.run);
    const results = Promise.all(['a', 'b', 'c'].map(call));
    await new Promise(setImmediate);
    await statements.end();
    expect(await results).toEqual(['A', 'B', 'C']);
    expect(statements.items).toEqual([['a', 'b', 'c']]);
  });

  it('that come soon after a statement has begun share the next one', async () => {
    const statements = new Statements();
    const call = gatherCalls(statements.run, { spacingMs: 50 });
    const startedMs = performance.now();
    const first = call('a');
    await Promise.resolve();
    await statements.end();
    expect(await first).toBe('A');

    const [second, third] = [call('b'), call('c')];
    await setTimeout(10);
    expect(statements.items).toEqual([['a']]);
    while (statements.items.length < 2) await setTimeout(5);
    // A timer may be a millisecond early.
    expect(performance.now() - startedMs).toBeGreaterThan(48);
    await statements.end();
    expect([await second, await third]).toEqual(['B', 'C']);
    expect(statements.items).toEqual([['a'], ['b', 'c']]);
  });

  it('of another group run beside them', async () => {
    const statements = new Statements();
    const call = gatherCalls(statements.run, { groupOf: ([account = '']) => account });
    const results = Promise.all(['a1', 'b1', 'a2'].map(call));
    await new Promise(setImmediate);
    expect(statements.items).toEqual([['a1', 'a2'], ['b1']]);
    const late = call('b2');
    await new Promise(setImmediate);
    expect(statements.items).toHaveLength(2);
    for (let count = 0; count < 3; count += 1) await statements.end();
    expect(await results).toEqual(['A1', 'B1', 'A2']);
    expect(await late).toBe('B2');
    expect(statements.items.at(-1)).toEqual(['b2']);
  });

  it('are at most 100 in a statement', async () => {
    const statements = new Statements();
    const call = gatherCalls(statements.run);
    const results = Promise.all(Array.from({ length: 250 }, (_, number) => call(`item ${number}`)));
    for (const count of [100, 100, 50]) {
      await new Promise(setImmediate);
      expect(statements.items.at(-1)).toHaveLength(count);
      await statements.end();
    }
    expect((await results).at(-1)).toBe('ITEM 249');
  });

  it('run one by one after a refusal, so that only the refused one fails', async () => {
    const runs: (readonly string[])[] = [];
    const call = gatherCalls(async (items: readonly string[]) => {
      runs.push(items);
      if (items.includes('bad')) throw refusal('23505');
      return items.map((item) => item.toUpperCase());
    });
    const results = await Promise.allSettled(['a', 'bad', 'c'].map(call));
    expect(results).toEqual([
      { status: 'fulfilled', value: 'A' },
      { status: 'rejected', reason: refusal('23505') },
      { status: 'fulfilled', value: 'C' },
    ]);
    expect(runs).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  });

  it('that wait fail with a statement that PostgreSQL does not reply to, and may run again', async () => {
    const statements = new Statements();
    const call = gatherCalls(statements.run);
    const sent = call('a').catch((error: unknown) => error);
    await Promise.resolve();
    const waiting = Promise.all(Array.from({ length: 250 }, (_, n) => call(`${n}`).catch((error: unknown) => error)));
    await statements.end(new Error('Query read timeout'));
    expect(isReplyLost(await sent)).toBe(true);
    const failures = await waiting;
    expect(new Set(failures.map((error) => [isDatabaseUnavailable(error), isReplyLost(error)].join()))).toEqual(
      new Set(['true,false']),
    );
    expect(statements.items).toEqual([['a']]);

    const next = call('b');
    await new Promise(setImmediate);
    await statements.end();
    expect(await next).toBe('B');
  });

  it('that wait run after a connection that has ended', async () => {
    const statements = new Statements();
    const call = gatherCalls(statements.run);
    const sent = call('a').catch(() => 'failed');
    await Promise.resolve();
    const waiting = call('b');
    await statements.end(new Error('Connection terminated unexpectedly'));
    await statements.end();
    expect([await sent, await waiting]).toEqual(['failed', 'B']);
  });

  it('fail together, and once, while PostgreSQL is away; the next one runs again', async () => {
    const statements = new Statements();
    const call = gatherCalls(statements.run);
    const results = Promise.allSettled([call('a'), call('b')]);
    await new Promise(setImmediate);
    await statements.end(refusal('57P03'));
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(statements.items).toHaveLength(1);

    const next = call('c');
    await new Promise(setImmediate);
    await statements.end();
    expect(await next).toBe('C');
  });
});
