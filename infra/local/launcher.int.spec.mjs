import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { localFolder, projectRoot } from './project-paths.mjs';
import { RunRecord } from './run-record.mjs';

const kind = `launcher-spec-${process.pid}`;
afterAll(() => rmSync(join(localFolder, 'run', kind), { recursive: true, force: true }));

const launcher = pathToFileURL(join(projectRoot, 'infra/local/launcher.mjs')).href;

/** Starts a launcher and collects its output. */
function startLauncher(work) {
  const script = `import { launch } from '${launcher}';
    await launch('${kind}', ${work}, { describeRunning: () => 'another run is active' });`;
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
  it('treats a Ctrl-C forwarded by npm as the same one, and runs the clean-ups', async () => {
    const { child, printed } = startLauncher(`async ({ untilStopRequested, onStop }) => {
      onStop(() => console.log('ran the clean-up'));
      process.emit('SIGINT');
      process.emit('SIGINT');
      await untilStopRequested;
      return 0;
    }`);
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(printed()).toContain('ran the clean-up');
    expect(printed()).not.toContain('immediately');
  });

  it('exits at once on a second Ctrl-C while it stops', async () => {
    const { child, printed } = startLauncher(`async ({ untilStopRequested, onStop }) => {
      const alive = setInterval(() => {}, 1_000);
      onStop(() => new Promise(() => alive));
      console.log('runs');
      await untilStopRequested;
      return 0;
    }`);
    const closed = once(child, 'close');
    while (!printed().includes('runs')) await once(child.stdout, 'data');
    while (child.exitCode === null) {
      child.kill('SIGINT');
      await sleep(100);
    }
    expect(await closed).toEqual([130, null]);
    expect(printed()).toContain('Stopping immediately.');
  });

  it('is killed if it does not stop in time', async () => {
    const { child, printed } = startLauncher(`async ({ onStop }) => {
      onStop(() => new Promise(() => setInterval(() => {}, 1_000)));
      console.log('runs');
      return 0;
    }`);
    const closed = once(child, 'close');
    while (!printed().includes('runs')) await once(child.stdout, 'data');
    const record = new RunRecord(join(localFolder, 'run', kind));
    expect(await record.stopLauncher(200)).toEqual({ isForced: true });
    expect(await closed).toEqual([null, 'SIGKILL']);
    expect(await record.stopLauncher(200)).toEqual({ isForced: false });
  });
});
