import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StandardOutput } from './standard-output.js';

/** More than a pipe takes: 64 KiB on Linux, less elsewhere. */
const MORE_THAN_A_PIPE = 256 * 1024;

let folder: string;
const opened: number[] = [];

const open = (path: string, flags: number | string): number => {
  const fd = openSync(path, flags);
  opened.push(fd);
  return fd;
};

/** A pipe whose reader reads only when it is asked to. */
function pipe() {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const read = (): string => {
    const bytes = Buffer.alloc(2 * MORE_THAN_A_PIPE);
    try {
      return bytes.toString('utf8', 0, readSync(reader, bytes));
    } catch {
      return '';
    }
  };
  return { writer: open(path, constants.O_WRONLY), read, leave: () => closeSync(opened.shift() as number) };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'output-'));
});
afterEach(() => {
  for (const fd of opened.splice(0)) closeSync(fd);
  rmSync(folder, { recursive: true });
});

describe('StandardOutput', () => {
  it('writes all text in order, in a file', () => {
    const path = join(folder, 'file');
    const output = new StandardOutput(open(path, 'w'));
    for (let n = 0; n < 100; n += 1) output.write(`${n}\n`);
    output.flushSync();
    expect(readFileSync(path, 'utf8')).toBe(Array.from({ length: 100 }, (_, n) => `${n}\n`).join(''));
    expect(output.isWaiting).toBe(false);
  });

  it('returns from a flush whose reader stands still, and writes on when it reads', async () => {
    const { writer, read } = pipe();
    const output = new StandardOutput(writer);
    output.write('x'.repeat(MORE_THAN_A_PIPE));
    output.flushSync();
    expect(output.isWaiting).toBe(true);
    let text = '';
    while (text.length < MORE_THAN_A_PIPE) {
      text += read();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(text).toBe('x'.repeat(MORE_THAN_A_PIPE));
  });

  it('loses the lines beyond its limit, and reports their number once it writes again', async () => {
    const { writer, read } = pipe();
    const output = new StandardOutput(writer, 1_000);
    const lost: number[] = [];
    output.onLost = (lines) => lost.push(lines);
    for (let n = 0; n < MORE_THAN_A_PIPE; n += 1) output.write('\n');
    let written = 0;
    while (lost.length === 0) {
      written += read().length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    written += read().length;
    expect([output.isWaiting, lost]).toEqual([false, [MORE_THAN_A_PIPE - written]]);
  });

  it('forgets its text when its reader is gone', async () => {
    const { writer, leave } = pipe();
    leave();
    const output = new StandardOutput(writer);
    output.write('a line\n');
    while (output.isWaiting) await new Promise((resolve) => setImmediate(resolve));
    output.write('another\n');
    expect(output.isWaiting).toBe(false);
  });
});
