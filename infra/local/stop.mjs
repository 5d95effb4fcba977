import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { line, outliveReader, PlainError, step } from './print.mjs';
import { localFolder } from './project-paths.mjs';
import { RunRecord } from './run-record.mjs';

const PATIENCE_MS = 60_000;

async function stopLauncher(record, { pid }) {
  process.kill(pid, 'SIGTERM');
  const untilMs = Date.now() + PATIENCE_MS;
  while (record.runningLauncher() !== undefined) {
    if (Date.now() > untilMs) throw new PlainError(`Process ${pid} does not stop.`);
    await sleep(100);
  }
}

outliveReader();
const record = new RunRecord(join(localFolder, 'run', 'start'));
const running = record.runningLauncher();
if (running !== undefined) await step('Stopping the gateway', () => stopLauncher(record, running));
const orphans = await record.endOrphans();
if (orphans.length > 0) line(`✓ ended what an earlier run had left running: ${orphans.join(', ')}`);
if (running === undefined && orphans.length === 0) line('The gateway does not run.');
