import { describe, expect, it } from '@jest/globals';
import { BatchWorld, type Edge, lineOf, served } from './test-support/batch-world.js';

const three = ['a', 'b', 'c'].map((id) => lineOf(id)).join('\n');
const idsIn = (lines: readonly Record<string, unknown>[]) => lines.map((line) => line.custom_id).sort();
const codesIn = (lines: readonly Record<string, unknown>[]) =>
  new Set(lines.map(({ error }) => (error as { code: string } | null)?.code));
const unauthorized = { status: 401 };
const noCredit = { status: 402 };
const noBudget = { status: 402, headers: { 'x-batch-budget': 'exceeded' } };

/** The first lines are served, all others get this reply. */
const serveUntil =
  (last: number, then: Awaited<ReturnType<Edge>>): Edge =>
  (line, body) =>
    line <= last ? served(line, body) : then;

describe('a run of a batch', () => {
  it('sends each line once, charges what they cost and ends with a file of results', async () => {
    const world = new BatchWorld(three);
    await world.run();
    expect(world.requested.sort()).toEqual([1, 2, 3].map((line) => `${world.batch.id}:${line}`));
    expect(world.end).toMatchObject({ status: 'completed', errors: null, errorFileId: null });
    expect(idsIn(world.linesOf(world.end?.outputFileId))).toEqual(['a', 'b', 'c']);
    expect([world.batch.costNanoUsd, world.batch.counts.completed]).toEqual([21n, 3]);
  });

  it('reads a byte order mark, carriage returns and empty lines; wrong lines fail alone', async () => {
    const wrong = Buffer.from(lineOf('latin').replace('"m"', '"\u00e9"'), 'latin1');
    const text = `\uFEFF${lineOf('a')}\r\n\r\n  \nno json\n[1]\n${lineOf('url', { url: '/v1/embeddings' })}\n`;
    const world = new BatchWorld(Buffer.concat([Buffer.from(text), wrong, Buffer.from(`\n${lineOf('z')}`)]));
    await world.run();
    expect(world.end?.status).toBe('completed');
    expect(idsIn(world.linesOf(world.end?.outputFileId))).toEqual(['a', 'z']);
    const errors = world.linesOf(world.end?.errorFileId).map(({ error }) => error as { code: string; line: number });
    expect(errors.map(({ code, line }) => [code, line]).sort()).toEqual([
      ['invalid_json_line', 4],
      ['invalid_json_line', 5],
      ['invalid_json_line', 7],
      ['mismatched_url', 6],
    ]);
    expect(world.requested).toHaveLength(2);
  });

  it.each([
    ['a repeated id', `${lineOf('a')}\n${lineOf('a')}`, 'duplicate_custom_id'],
    ['no lines', '\r\n\n', 'empty_file'],
  ])('refuses an input with %s as a whole, and sends nothing', async (_what, input, code) => {
    const world = new BatchWorld(input);
    await world.run();
    expect(world.end).toMatchObject({ status: 'failed', errors: [{ code }], outputFileId: null });
    expect(world.requested).toEqual([]);
  });

  it('leaves its lines to the edge if the rest of its input cannot be read', async () => {
    const world = new BatchWorld(three, () => new Promise<never>(() => undefined));
    world.isInputCut = true;
    await world.run();
    expect(world.returned).toEqual([{ dueInMs: 10_000, waitsFor: null }]);
    expect(world.signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('fails if its input was deleted, and keeps the results that it has', async () => {
    const world = new BatchWorld(three);
    world.objects.delete(world.batch.inputObject);
    await world.run();
    expect(world.end).toMatchObject({ status: 'failed', errors: [{ code: 'input_file_deleted' }] });
  });
});

describe('what stops a batch', () => {
  it('is a cancellation: before it is checked, no line begins', async () => {
    const world = new BatchWorld(three, served, { cancelRequestedAtMs: 1 });
    await world.run();
    expect(world.requested).toEqual([]);
    expect(world.end?.status).toBe('cancelled');
    expect(codesIn(world.linesOf(world.end?.errorFileId))).toEqual(new Set(['batch_cancelled']));
  });

  it('is a cancellation: after a crash, lines that may have begun still end', async () => {
    const running = { status: 'in_progress', total: 3, cancelRequestedAtMs: 1 } as const;
    const world = new BatchWorld(three, served, running);
    world.resumeAt({ begunThrough: 2, lines: [1] });
    await world.run();
    expect(world.requested).toEqual([`${world.batch.id}:2`]);
    expect(idsIn(world.linesOf(world.end?.outputFileId))).toEqual(['b']);
    expect(idsIn(world.linesOf(world.end?.errorFileId))).toEqual(['c']);
    expect(world.end?.status).toBe('cancelled');
  });

  it('is a cancellation also without credit: a batch that ends waits for none', async () => {
    const running = { status: 'in_progress', total: 3, cancelRequestedAtMs: 1 } as const;
    const world = new BatchWorld(three, () => noCredit, running);
    world.resumeAt({ begunThrough: 2, lines: [1] });
    await world.run();
    expect(world.end?.status).toBe('cancelled');
    expect(idsIn(world.linesOf(world.end?.errorFileId))).toEqual(['b', 'c']);
  });

  it('is the end of its window: what has not begun expires, and the results are whole', async () => {
    const world = new BatchWorld(three, served, { status: 'in_progress', total: 3, isWindowOver: true });
    world.resumeAt({ begunThrough: 1 });
    await world.run();
    expect(world.end?.status).toBe('expired');
    expect(idsIn(world.linesOf(world.end?.outputFileId))).toEqual(['a']);
    expect(codesIn(world.linesOf(world.end?.errorFileId))).toEqual(new Set(['batch_expired']));
    expect(world.batch.counts).toEqual({ completed: 1, failed: 0, expired: 2, cancelled: 0 });
  });

  it('is not the end of its window by the clock of its worker', async () => {
    const world = new BatchWorld(three, served, { windowEndsAtMs: Date.now() - 1 });
    await world.run();
    expect(world.end?.status).toBe('completed');
  });

  it('is a key that is refused: the batch fails with the results that it has', async () => {
    const world = new BatchWorld(three, serveUntil(1, unauthorized));
    await world.run();
    expect(world.end).toMatchObject({ status: 'failed', errors: [{ code: 'invalid_api_key' }] });
    expect(idsIn(world.linesOf(world.end?.outputFileId))).toEqual(['a']);
    expect(idsIn(world.linesOf(world.end?.errorFileId))).toEqual(['b', 'c']);
  });

  it('is a key that was refused before its worker died: the batch still fails', async () => {
    const world = new BatchWorld(three, serveUntil(1, unauthorized));
    world.lostSteps.add('finish');
    await world.run();
    expect(world.end).toBeUndefined();
    expect(world.batch.counts).toMatchObject({ completed: 1, failed: 2 });
    world.lostSteps.clear();
    await world.run();
    expect(world.end).toMatchObject({ status: 'failed', errors: [{ code: 'invalid_api_key' }] });
    expect(idsIn(world.linesOf(world.end?.outputFileId))).toEqual(['a']);
  });

  it('is a key that was refused for the last lines, by a worker that died before it wrote that down', async () => {
    const world = new BatchWorld(three, serveUntil(1, unauthorized), { status: 'in_progress', total: 3 });
    world.resumeAt({ begunThrough: 3 });
    world.diesAt = 'recordErrors';
    await world.run();
    expect([world.end, world.batch.counts]).toMatchObject([undefined, { completed: 1, failed: 0 }]);
    world.diesAt = undefined;
    await world.run();
    expect(world.end).toMatchObject({ status: 'failed', errors: [{ code: 'invalid_api_key' }] });
    expect(codesIn(world.linesOf(world.end?.errorFileId))).toEqual(new Set(['result_lost']));
  });

  it('is its budget: the rest has not begun, and the batch is complete', async () => {
    const world = new BatchWorld(three, serveUntil(1, noBudget), { budgetNanoUsd: 8n });
    await world.run();
    expect(world.end).toMatchObject({ status: 'completed', errors: null });
    expect(codesIn(world.linesOf(world.end?.errorFileId))).toEqual(new Set(['batch_budget_exceeded']));
    expect(world.batch.costNanoUsd).toBe(7n);
  });

  it('is missing credit, for a while: it waits, and continues at the line that did not begin', async () => {
    let hasCredit = false;
    const edge: Edge = (line, body) => (line === 1 || hasCredit ? served(line, body) : noCredit);
    const world = new BatchWorld(three, edge);
    await world.run();
    expect([world.end, world.returned]).toEqual([undefined, [{ dueInMs: 30_000, waitsFor: 'credit' }]]);
    hasCredit = true;
    await world.run();
    expect(world.end?.status).toBe('completed');
    expect(idsIn(world.linesOf(world.end?.outputFileId))).toEqual(['a', 'b', 'c']);
    expect(world.batch.costNanoUsd).toBe(21n);
  });
});

describe('another worker', () => {
  it('continues a batch whose worker left, and repeats no line that was recorded', async () => {
    const world = new BatchWorld(three);
    const leaving = world.newRun();
    leaving.drain();
    await leaving.run();
    expect([world.end, world.returned]).toEqual([undefined, [{ dueInMs: 0, waitsFor: null }]]);
    world.resumeAt({ begunThrough: 2, lines: [2] });
    world.change({ status: 'in_progress', total: 3 });
    await world.run();
    expect(world.requested.sort()).toEqual([1, 3].map((line) => `${world.batch.id}:${line}`));
  });

  it.each(['begin', 'beginLines', 'record', 'finalize', 'renew', 'finish'])(
    'has it: a run that loses its claim at %s ends nothing',
    async (step) => {
      const world = new BatchWorld(three);
      world.lostSteps.add(step);
      await world.run();
      expect(world.end).toBeUndefined();
    },
  );

  it('ends a batch whose worker died between its last line and its end', async () => {
    const world = new BatchWorld(three);
    world.lostSteps.add('finish');
    await world.run();
    world.lostSteps.clear();
    await world.run();
    expect(world.requested).toHaveLength(3);
    expect(world.end?.status).toBe('completed');
    expect(idsIn(world.linesOf(world.end?.outputFileId))).toEqual(['a', 'b', 'c']);
  });
});
