import { join } from 'node:path';
import { ignoreClosedStdout, line, step } from './print.mjs';
import { localFolder } from './project-paths.mjs';
import { RunRecord } from './run-record.mjs';

ignoreClosedStdout();
const record = new RunRecord(join(localFolder, 'run', 'start'));
const running = record.runningLauncher();
if (running !== undefined)
  await step('Stopping the gateway', async (note) => {
    const { isForced } = await record.stopLauncher();
    if (isForced) note('by force, see .local/logs/');
  });
const orphans = await record.stopOrphans();
if (orphans.length > 0) line(`✓ Stopped processes of an earlier run: ${orphans.join(', ')}`);
if (running === undefined && orphans.length === 0) line('The gateway is not running.');
