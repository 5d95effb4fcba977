import { describe, expect, it } from '@jest/globals';
import { BatchWorld, type Edge, lineOf, served } from './test-support/batch-world.js';

const input = (count: number, more: object = {}): string =>
  Array.from({ length: count }, (_, index) => lineOf(`n${index + 1}`, more)).join('\n');

describe('the lines of a run', () => {
  it('are at the edge a few at a time, and begin in order', async () => {
    let running = 0;
    let most = 0;
    const edge: Edge = async (line, body) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return served(line, body);
    };
    const world = new BatchWorld(input(30), edge);
    await world.run();
    expect(most).toBe(2);
    const numbers = world.requested.map((key) => Number(key.split(':')[1]));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(world.batch.counts.completed).toBe(30);
  });

  it('keep the failure of one model to itself', async () => {
    const edge: Edge = (line, body) =>
      line === 2 ? { status: 400, body: { error: { param: 'model' } } } : served(line, body);
    const world = new BatchWorld(input(3), edge);
    await world.run();
    expect(world.linesOf(world.end?.errorFileId)).toMatchObject([
      { custom_id: 'n2', response: { status_code: 400, request_id: 'req_own', body: { error: { param: 'model' } } } },
    ]);
    expect(world.batch.counts).toMatchObject({ completed: 2, failed: 1 });
  });

  it('end all when a cancellation comes between them: what runs completes, the rest is cancelled', async () => {
    const run: { stop?: () => void } = {};
    const edge: Edge = (line, body) => {
      if (line === 2) run.stop?.();
      return served(line, body);
    };
    const world = new BatchWorld(input(10), edge);
    const running = world.newRun();
    // As the worker's renewal does: it reads the row.
    run.stop = () => {
      world.change({ cancelRequestedAtMs: 1 });
      running.observe(world.batch);
    };
    await running.run();
    const { completed, cancelled } = world.batch.counts;
    expect(world.end?.status).toBe('cancelled');
    expect([completed >= 2 && completed <= 4, completed + cancelled]).toEqual([true, 10]);
    expect(world.requested).toHaveLength(completed);
  });

  it('write what is wrong with a line also when the batch ends early', async () => {
    const world = new BatchWorld(`${input(2)}\nno json`, served, { cancelRequestedAtMs: 1 });
    await world.run();
    const codes = world.linesOf(world.end?.errorFileId).map(({ error }) => (error as { code: string }).code);
    expect(codes.sort()).toEqual(['batch_cancelled', 'batch_cancelled', 'invalid_json_line']);
  });
});
