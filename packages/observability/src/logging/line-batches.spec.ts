import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LineBatches } from './line-batches.js';

const run = promisify(execFile);

function collected() {
  const texts: string[] = [];
  let flushes = 0;
  const stream = {
    write: (text: string) => void texts.push(text),
    flushSync: () => {
      flushes += 1;
    },
  };
  return { texts, flushes: () => flushes, lines: new LineBatches(stream, { batchLength: 10, maxWaitMs: 500 }) };
}

describe('LineBatches', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('writes a batch as one text once it is long enough', () => {
    const { lines, texts } = collected();
    lines.write('12345\n');
    expect(texts).toEqual([]);
    lines.write('67890\n');
    expect(texts).toEqual(['12345\n67890\n']);
  });

  it('writes a short batch after its wait, and needs no timer while no line waits', () => {
    const { lines, texts } = collected();
    lines.write('1\n');
    jest.advanceTimersByTime(499);
    expect(texts).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(texts).toEqual(['1\n']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('writes the waiting lines before it flushes the stream', () => {
    const { lines, texts, flushes } = collected();
    lines.write('1\n');
    lines.flushSync();
    expect([texts, flushes(), jest.getTimerCount()]).toEqual([['1\n'], 1, 0]);
  });
});

describe('the lines of a process', () => {
  // Node runs the sources themselves, whose imports name the built files.
  const begin = `import { registerHooks } from 'node:module';
    const source = (specifier) => (specifier.startsWith('./') ? specifier.replace(/\\.js$/, '.ts') : specifier);
    registerHooks({ resolve: (specifier, context, next) => next(source(specifier), context) });
    const { createLogger } = await import('${new URL('logger.ts', import.meta.url).href}');
    const logger = createLogger({ service: 's', level: 'info' });
    for (let n = 0; n < 300; n += 1) logger.info({ n }, 'x'.repeat(300));`;

  it.each([
    ['that ends', ''],
    ['that exits', 'process.exit(0);'],
    ['that exits later', 'setTimeout(() => process.exit(0), 50);'],
    ['that logs a fatal line and dies', "logger.fatal('last'); process.kill(process.pid, 'SIGKILL');"],
  ])('are all written by one %s', async (_how, end) => {
    const script = `${begin} ${end}`;
    const args = ['--input-type=module', '--eval', script];
    const stdout = await run(process.execPath, args).then(
      (done) => done.stdout,
      (error: { signal: string | null; stdout: string }) => {
        if (error.signal !== 'SIGKILL') throw error;
        return error.stdout;
      },
    );
    const numbers = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { n?: number }).n);
    expect(numbers.slice(0, 300)).toEqual(Array.from({ length: 300 }, (_, n) => n));
  });

  it.each([
    ['a pipe without a reader', () => 'pipe' as const],
    ['a full disk', () => openSync('/dev/full', 'w')],
  ])('end no process and let it exit, on %s', async (_what, openOutput) => {
    const output = openOutput();
    const script = `${begin} setTimeout(() => process.exit(0), 300);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', output, 'inherit'],
    });
    expect(await once(child, 'exit')).toEqual([0, null]);
    child.stdout?.destroy();
    if (typeof output === 'number') closeSync(output);
  });
});
