import { describe, expect, it } from '@jest/globals';
import { createLogger } from '../logging/logger.js';
import { Drain, type DrainStep } from './drain.js';

function testDrain(steps: readonly DrainStep[], graceMs = 60_000) {
  const lines: string[] = [];
  const codes: number[] = [];
  const exited = Promise.withResolvers<void>();
  let nowMs = 1_000;
  const drain = new Drain({
    graceMs,
    logger: createLogger({ service: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } }),
    steps,
    exit: (code) => {
      codes.push(code);
      exited.resolve();
    },
    now: () => nowMs,
  });
  const pass = (milliseconds: number): void => {
    nowMs += milliseconds;
  };
  return { drain, lines, codes, pass, exited: exited.promise };
}

describe('Drain', () => {
  it('stops being ready, runs its steps in order and exits with 0', async () => {
    const order: string[] = [];
    const step = (name: string): DrainStep => ({
      name,
      run: async () => {
        order.push(`${name} ${process.drain.isDraining}`);
        await Promise.resolve();
        order.push(`${name} done`);
      },
    });
    const process = testDrain([step('a'), step('b')]);
    expect(process.drain.isDraining).toBe(false);
    await process.drain.start('SIGTERM');
    expect(order).toEqual(['a true', 'a done', 'b true', 'b done']);
    expect(process.codes).toEqual([0]);
  });

  it('gives each step the remaining grace time, at least 0', async () => {
    const left: number[] = [];
    const step = (lastsMs: number): DrainStep => ({
      name: 'step',
      run: async (remainingMs) => {
        left.push(remainingMs);
        process.pass(lastsMs);
      },
    });
    const process = testDrain([step(400), step(900), step(0)], 1_000);
    await process.drain.start('SIGTERM');
    expect(left).toEqual([1_000, 600, 0]);
  });

  it('continues after a step that rejects or throws', async () => {
    const order: string[] = [];
    const process = testDrain([
      { name: 'rejects', run: () => Promise.reject(new Error('no')) },
      {
        name: 'throws',
        run: () => {
          throw new Error('no');
        },
      },
      { name: 'last', run: async () => void order.push('last') },
    ]);
    await process.drain.start('SIGTERM');
    expect(order).toEqual(['last']);
    expect(process.codes).toEqual([0]);
    expect(process.lines.filter((line) => line.includes('drain step failed: '))).toHaveLength(2);
  });

  it('exits with 1 at a second signal', async () => {
    const held = Promise.withResolvers<void>();
    const process = testDrain([{ name: 'long', run: () => held.promise }]);
    const first = process.drain.start('SIGTERM');
    await process.drain.start('SIGTERM');
    expect(process.codes).toEqual([1]);
    held.resolve();
    await first;
  });

  it('exits with 1 if a step outlasts the grace time', async () => {
    const held = Promise.withResolvers<void>();
    const process = testDrain([{ name: 'stuck', run: () => held.promise }], -2_990);
    const drained = process.drain.start('SIGTERM');
    await process.exited;
    expect(process.codes).toEqual([1]);
    held.resolve();
    await drained;
  });
});
