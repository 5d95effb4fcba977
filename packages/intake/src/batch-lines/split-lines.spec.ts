import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type InputLine, splitLines } from './split-lines.js';

async function* cut(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (const size of sizes) {
    yield bytes.subarray(at, at + size);
    at += size;
  }
  yield bytes.subarray(at);
}

async function linesOf(text: string, sizes: readonly number[] = [], maxBytes?: number): Promise<unknown[]> {
  const lines: unknown[] = [];
  const found: AsyncIterable<InputLine> = splitLines(cut(Buffer.from(text), sizes), maxBytes);
  for await (const { number, bytes } of found) lines.push([number, bytes?.toString()]);
  return lines;
}

describe('splitLines', () => {
  it('numbers the lines of the file, skips empty ones, and needs no newline at the end', async () => {
    expect(await linesOf('\uFEFFone\n\n \r\ntwo\r\nthree')).toEqual([
      [1, 'one'],
      [4, 'two\r'],
      [5, 'three'],
    ]);
    expect(await linesOf('')).toEqual([]);
    expect(await linesOf('one\n')).toEqual([[1, 'one']]);
  });

  it('reports a line that is too long, and goes on behind it', async () => {
    expect(await linesOf(`a\n${'x'.repeat(20)}\nb\n`, [4, 9], 10)).toEqual([
      [1, 'a'],
      [2, undefined],
      [3, 'b'],
    ]);
  });

  it('gives the same lines at any cut', async () => {
    const text = '{"a":"ü"}\n\n{"b":"€\\n"}\r\n{"c":1}';
    const whole = await linesOf(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 20 }), async (sizes) => {
        expect(await linesOf(text, sizes)).toEqual(whole);
      }),
    );
  });
});
