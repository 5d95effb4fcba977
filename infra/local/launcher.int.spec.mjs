import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { localFolder, projectRoot } from './project-paths.mjs';

const kind = `launcher-spec-${process.pid}`;
afterAll(() => rmSync(join(localFolder, 'run', kind), { recursive: true, force: true }));

const launcher = pathToFileURL(join(projectRoot, 'infra/local/launcher.mjs')).href;

/** One run of the launcher with its output. */
function launched(work) {
  const script = `import { launch } from '${launcher}';
    await launch('${kind}', ${work}, { describeRunning: () => 'one runs already' });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (data) => {
    printed += data;
  });
  return { child, printed: () => printed };
}

describe('the launcher', () => {
  it('treats a Ctrl-C that npm repeats as one and stops in order', async () => {
    const { child, printed } = launched(`async ({ untilStopped, onStop }) => {
      onStop(() => console.log('stopped in order'));
      process.emit('SIGINT');
      process.emit('SIGINT');
      await untilStopped;
      return 0;
    }`);
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(printed()).toContain('stopped in order');
    expect(printed()).not.toContain('at once');
  });

  it('ends immediately at a second request to stop', async () => {
    const { child, printed } = launched(`async ({ untilStopped, onStop }) => {
      const alive = setInterval(() => {}, 1_000);
      onStop(() => new Promise(() => alive));
      console.log('runs');
      await untilStopped;
      return 0;
    }`);
    const closed = once(child, 'close');
    while (!printed().includes('runs')) await once(child.stdout, 'data');
    while (child.exitCode === null) {
      child.kill('SIGINT');
      await sleep(100);
    }
    expect(await closed).toEqual([130, null]);
    expect(printed()).toContain('Stopping at once.');
  });
});
