import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { batch } from './batcher.js';

/** A store whose statements end when the test ends them. */
function manualStore() {
  const statements: {
    readonly ids: readonly string[];
    readonly end: () => void;
    readonly fail: (error: Error) => void;
  }[] = [];
  const request = batch((requests: readonly { taskId: string }[]) => {
    const ids = requests.map(({ taskId }) => taskId);
    const ended = Promise.withResolvers<ReadonlyMap<string, string>>();
    statements.push({
      ids,
      end: () => ended.resolve(new Map(ids.filter((id) => id !== 'gone').map((id) => [id, `changed ${id}`]))),
      fail: (error) => ended.reject(error),
    });
    return ended.promise;
  });
  return { statements, change: (taskId: string) => request({ taskId }) };
}

describe('batch', () => {
  it('starts at once when no statement runs, with all requests of the same tick', async () => {
    const { statements, change } = manualStore();
    const results = Promise.all([change('a'), change('b'), change('gone')]);
    await setImmediate();
    expect(statements.map(({ ids }) => ids)).toEqual([['a', 'b', 'gone']]);
    statements[0]?.end();
    expect(await results).toEqual(['changed a', 'changed b', null]);
  });

  it('collects requests for the next statement while four statements run', async () => {
    const { statements, change } = manualStore();
    const results: Promise<unknown>[] = [];
    for (const id of ['1', '2', '3', '4', '5', '6', '7']) {
      results.push(change(id));
      await setImmediate();
    }
    expect(statements.map(({ ids }) => ids)).toEqual([['1'], ['2'], ['3'], ['4']]);
    statements[2]?.end();
    await setImmediate();
    expect(statements.slice(4).map(({ ids }) => ids)).toEqual([['5', '6', '7']]);
    for (const { end } of statements) end();
    expect(await Promise.all(results)).toEqual(['1', '2', '3', '4', '5', '6', '7'].map((id) => `changed ${id}`));
  });

  it('puts at most 64 tasks into a statement, and each task once', async () => {
    const { statements, change } = manualStore();
    const results = [...Array.from({ length: 70 }, (_, index) => change(`${index}`)), change('0'), change('1')];
    await setImmediate();
    expect(statements.map(({ ids }) => ids.length)).toEqual([64, 6, 2]);
    expect(statements[2]?.ids).toEqual(['0', '1']);
    for (const { end } of statements) end();
    expect(await Promise.all(results)).toHaveLength(72);
  });

  it('rejects only the request that fails alone', async () => {
    const { statements, change } = manualStore();
    const results = Promise.allSettled([change('a'), change('bad'), change('c')]);
    await setImmediate();
    statements[0]?.fail(new Error('one of them'));
    await setImmediate();
    expect(statements.slice(1).map(({ ids }) => ids)).toEqual([['a'], ['bad'], ['c']]);
    statements[1]?.end();
    statements[2]?.fail(new Error('bad'));
    statements[3]?.end();
    expect(await results).toEqual([
      { status: 'fulfilled', value: 'changed a' },
      { status: 'rejected', reason: new Error('bad') },
      { status: 'fulfilled', value: 'changed c' },
    ]);
  });

  it('asks a database that is away no more often than once for all requests', async () => {
    const { statements, change } = manualStore();
    const results = Promise.allSettled([change('a'), change('b')]);
    await setImmediate();
    const away = Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect' });
    statements[0]?.fail(away);
    expect(await results).toEqual([
      { status: 'rejected', reason: away },
      { status: 'rejected', reason: away },
    ]);
    expect(statements).toHaveLength(1);
  });
});
