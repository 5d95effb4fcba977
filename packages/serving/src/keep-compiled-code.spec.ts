import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const run = promisify(execFile);
const source = new URL('keep-compiled-code.ts', import.meta.url);

/** Compiles a function for the shape of objects that then are gone, and reports whether the code outlives collections. */
const PROGRAM = `
  import { setFlagsFromString } from 'node:v8';
  setFlagsFromString('--allow-natives-syntax');
  const isOptimized = new Function(\`
    const sum = (value) => value.first + value.second;
    const warm = (times) => { for (let at = 0; at < times; at += 1) sum(JSON.parse('{"first":1,"second":2}')); };
    warm(10);
    %PrepareFunctionForOptimization(sum);
    warm(1000);
    %OptimizeFunctionOnNextCall(sum);
    warm(10);
    const OPTIMIZED = 1 << 5;
    return () => (%GetOptimizationStatus(sum) & OPTIMIZED) !== 0;
  \`)();
  const before = isOptimized();
  for (let at = 0; at < 6; at += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
  console.log(JSON.stringify({ before, after: isOptimized() }));
`;

async function runProgram(first: string) {
  const { stdout, stderr } = await run(process.execPath, [
    '--expose-gc',
    '--input-type=module',
    '--eval',
    first + PROGRAM,
  ]);
  return { ...(JSON.parse(stdout) as { before: boolean; after: boolean }), stderr };
}

describe('keepCompiledCode', () => {
  it('keeps the code of shapes that no object has', async () => {
    const first = `import { keepCompiledCode } from '${source.href}'; keepCompiledCode();`;
    expect(await runProgram(first)).toEqual({ before: true, after: true, stderr: '' });
  });

  it('is needed: V8 discards that code', async () => {
    expect(await runProgram('')).toMatchObject({ before: true, after: false });
  });
});
