import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ignoreClosedStdout, line, PlainError, step } from './print.mjs';
import { localFolder } from './project-paths.mjs';
import { RunRecord } from './run-record.mjs';

const TIMEOUT_MS = 60_000;

async function stopLauncher(record, { pid }) {
  process.kill(pid, 'SIGTERM');
  const deadlineMs = Date.now() + TIMEOUT_MS;
  while (record.runningLauncher() !== undefined) {
    if (Date.now() > deadlineMs)
      throw new PlainError(
        `The gateway (process ${pid}) did not stop within ${TIMEOUT_MS / 1000} s. Its logs are in .local/logs/.`,
      );
    await sleep(100);
  }
}

ignoreClosedStdout();
const record = new RunRecord(join(localFolder, 'run', 'start'));
const running = record.runningLauncher();
if (running !== undefined) await step('Stopping the gateway', () => stopLauncher(record, running));
const orphans = await record.stopOrphans();
if (orphans.length > 0) line(`✓ Stopped processes of an earlier run: ${orphans.join(', ')}`);
if (running === undefined && orphans.length === 0) line('The gateway is not running.');
