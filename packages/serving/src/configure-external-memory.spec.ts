import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const run = promisify(execFile);
const source = new URL('configure-external-memory.ts', import.meta.url);

/** Runs the statement in a process of its own and returns what V8 writes to stderr. The process must continue. */
async function warningOf(statement: string): Promise<string> {
  const script = `import { setFlagsFromString } from 'node:v8'; import { configureExternalMemory } from '${source.href}'; ${statement}`;
  const { stdout, stderr } = await run(process.execPath, [
    '--input-type=module',
    '--eval',
    `${script}; console.log('continues')`,
  ]);
  expect(stdout).toBe('continues\n');
  return stderr;
}

describe('configureExternalMemory', () => {
  it('sets a flag that the V8 of this release knows', async () => {
    expect(await warningOf('configureExternalMemory()')).toBe('');
  });

  it('would only warn if V8 did not know the flag', async () => {
    expect(await warningOf("setFlagsFromString('--no-such-flag')")).toContain('no-such-flag');
  });
});
