import { join } from 'node:path';
import { formatError, ignoreClosedStdout, line, PlainError } from './print.mjs';
import { localFolder } from './project-paths.mjs';
import { stopRunningCommands } from './run-command.mjs';
import { RunRecord } from './run-record.mjs';

const PARENT_WATCH_MS = 300;
/** The terminal sends Ctrl-C to npm and to this process, and npm forwards it. Within this time it is one Ctrl-C. */
const SAME_CTRL_C_MS = 1_000;

/**
 * Runs every entry point here. Only one run of a kind is active at a time. It first stops the processes of a killed run.
 * Ctrl-C and SIGTERM request a stop; a second Ctrl-C exits at once. The exit code reports the result.
 *
 * `work({ record, signal, untilStopRequested, onStop })` does the job. `untilStopRequested` resolves to `'stop requested'`.
 * Functions passed to `onStop` always run at the end, the last one first.
 */
export async function launch(kind, work, { describeRunning }) {
  ignoreClosedStdout();
  const record = new RunRecord(join(localFolder, 'run', kind));
  const running = record.runningLauncher();
  if (running !== undefined) {
    line(describeRunning(running));
    process.exitCode = 1;
    return;
  }
  record.recordLauncher();
  const cleanUps = [];
  const stopRequest = new AbortController();
  listenForStopSignals(stopRequest);
  watchParent(stopRequest);
  try {
    const orphans = await record.stopOrphans();
    if (orphans.length > 0) line(`  stopped processes of an earlier run: ${orphans.join(', ')}`);
    process.exitCode = await work({
      record,
      signal: stopRequest.signal,
      untilStopRequested: new Promise((resolve) =>
        stopRequest.signal.addEventListener('abort', () => resolve('stop requested'), { once: true }),
      ),
      onStop: (cleanUp) => cleanUps.push(cleanUp),
    });
  } catch (error) {
    if (!stopRequest.signal.aborted) line(`\n${formatError(error)}`);
    process.exitCode = 1;
  }
  for (const cleanUp of cleanUps.reverse()) await runCleanUp(cleanUp);
  await record.stopOrphans();
  record.removeLauncher();
}

async function runCleanUp(cleanUp) {
  try {
    await cleanUp();
  } catch (error) {
    line(formatError(error));
    process.exitCode = 1;
  }
}

/** A killed npm sends its script no signal, so this watches the parent process. */
function watchParent(stopRequest) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    requestStop(stopRequest, 'the exit of npm');
  }, PARENT_WATCH_MS);
  watch.unref();
}

function requestStop(stopRequest, source) {
  if (stopRequest.signal.aborted) return;
  line('\nStopping …');
  stopRunningCommands();
  stopRequest.abort(new PlainError(`stopped by ${source}`));
}

function listenForStopSignals(stopRequest) {
  let requestedAtMs = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (stopRequest.signal.aborted && signal === 'SIGINT') {
        if (performance.now() - requestedAtMs < SAME_CTRL_C_MS) return;
        line('Stopping immediately.');
        process.exit(130);
      }
      requestedAtMs = performance.now();
      requestStop(stopRequest, signal);
    });
  }
}
