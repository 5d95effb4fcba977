import { describe, expect, it } from '@jest/globals';
import { batch } from './batcher.js';

/** A store whose statements end when they are told to. */
function slowStore() {
  const statements: {
    readonly ids: readonly string[];
    readonly end: () => void;
    readonly fail: (error: Error) => void;
  }[] = [];
  const ask = batch((asked: readonly { taskId: string }[]) => {
    const ids = asked.map(({ taskId }) => taskId);
    const ended = Promise.withResolvers<ReadonlyMap<string, string>>();
    statements.push({
      ids,
      end: () => ended.resolve(new Map(ids.filter((id) => id !== 'gone').map((id) => [id, `changed ${id}`]))),
      fail: (error) => ended.reject(error),
    });
    return ended.promise;
  });
  return { statements, ask: (taskId: string) => ask({ taskId }) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('what is asked task by task', () => {
  it('is asked at once where nothing runs, together where it comes together', async () => {
    const { statements, ask } = slowStore();
    const answers = Promise.all([ask('a'), ask('b'), ask('gone')]);
    await turn();
    expect(statements.map(({ ids }) => ids)).toEqual([['a', 'b', 'gone']]);
    statements[0]?.end();
    expect(await answers).toEqual(['changed a', 'changed b', null]);
  });

  it('makes up the next statement while four run', async () => {
    const { statements, ask } = slowStore();
    const first: Promise<unknown>[] = [];
    for (const id of ['1', '2', '3', '4', '5', '6', '7']) {
      first.push(ask(id));
      await turn();
    }
    expect(statements.map(({ ids }) => ids)).toEqual([['1'], ['2'], ['3'], ['4']]);
    statements[2]?.end();
    await turn();
    expect(statements.slice(4).map(({ ids }) => ids)).toEqual([['5', '6', '7']]);
    for (const { end } of statements) end();
    expect(await Promise.all(first)).toEqual(['1', '2', '3', '4', '5', '6', '7'].map((id) => `changed ${id}`));
  });

  it('has at most 64 tasks in a statement, and each of them once', async () => {
    const { statements, ask } = slowStore();
    const answers = [...Array.from({ length: 70 }, (_, at) => ask(`${at}`)), ask('0'), ask('1')];
    await turn();
    expect(statements.map(({ ids }) => ids.length)).toEqual([64, 6, 2]);
    expect(statements[2]?.ids).toEqual(['0', '1']);
    for (const { end } of statements) end();
    expect(await Promise.all(answers)).toHaveLength(72);
  });

  it('fails for the one that is at fault, and for no other', async () => {
    const { statements, ask } = slowStore();
    const answers = Promise.allSettled([ask('a'), ask('bad'), ask('c')]);
    await turn();
    statements[0]?.fail(new Error('one of them'));
    await turn();
    expect(statements.slice(1).map(({ ids }) => ids)).toEqual([['a'], ['bad'], ['c']]);
    statements[1]?.end();
    statements[2]?.fail(new Error('bad'));
    statements[3]?.end();
    expect(await answers).toEqual([
      { status: 'fulfilled', value: 'changed a' },
      { status: 'rejected', reason: new Error('bad') },
      { status: 'fulfilled', value: 'changed c' },
    ]);
  });
});
