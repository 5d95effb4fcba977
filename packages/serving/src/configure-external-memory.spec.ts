import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, jest } from '@jest/globals';

jest.setTimeout(60_000);

const run = promisify(execFile);
const source = new URL('configure-external-memory.ts', import.meta.url);

/** What V8 says to a process that tells it something; it goes on in any case. */
async function complaintOf(telling: string): Promise<string> {
  const script = `import { setFlagsFromString } from 'node:v8'; import { configureExternalMemory } from '${source.href}'; ${telling}`;
  const { stdout, stderr } = await run(process.execPath, [
    '--input-type=module',
    '--eval',
    `${script}; console.log('goes on')`,
  ]);
  expect(stdout).toBe('goes on\n');
  return stderr;
}

describe('what V8 is told of bodies', () => {
  it('is understood by the V8 of this release: where it no longer is, large bodies cost twice as much', async () => {
    expect(await complaintOf('configureExternalMemory()')).toBe('');
  });

  it('would be complained of otherwise, and nothing else would happen', async () => {
    expect(await complaintOf("setFlagsFromString('--never-heard-of')")).toContain('never-heard-of');
  });
});
