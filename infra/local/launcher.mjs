import { join } from 'node:path';
import { describe, line, outliveReader, PlainError } from './print.mjs';
import { localFolder } from './project-paths.mjs';
import { endRunningCommands } from './run-command.mjs';
import { RunRecord } from './run-record.mjs';

const PARENT_WATCH_MS = 300;
/** The terminal sends Ctrl-C to npm and the launcher, and npm repeats it: within this time both count as one. */
const SAME_CTRL_C_MS = 1_000;

/**
 * The frame of every entry point. One run of its kind at a time; orphans of a killed run are ended first. Ctrl-C and
 * SIGTERM start `stop`, a second one ends immediately, and the exit code reports the result. `work({ record,
 * untilStopped, onStop })` does the job; `untilStopped` resolves at a request to stop. Clean-ups given to `onStop` always
 * run at the end, the last one first.
 */
export async function launch(kind, work, { describeRunning }) {
  outliveReader();
  const record = new RunRecord(join(localFolder, 'run', kind));
  const running = record.runningLauncher();
  if (running !== undefined) {
    line(describeRunning(running));
    process.exitCode = 1;
    return;
  }
  record.enterLauncher();
  const cleanUps = [];
  const stopping = new AbortController();
  listenForSignals(stopping);
  watchParent(stopping);
  try {
    const orphans = await record.endOrphans();
    if (orphans.length > 0) line(`  ended what an earlier run had left running: ${orphans.join(', ')}`);
    process.exitCode = await work({
      record,
      signal: stopping.signal,
      untilStopped: new Promise((resolve) =>
        stopping.signal.addEventListener('abort', () => resolve('stopped'), { once: true }),
      ),
      onStop: (cleanUp) => cleanUps.push(cleanUp),
    });
  } catch (error) {
    if (!stopping.signal.aborted) line(`\n${describe(error)}`);
    process.exitCode = 1;
  }
  for (const cleanUp of cleanUps.reverse()) await attempt(cleanUp);
  await record.endOrphans();
  record.leaveLauncher();
}

async function attempt(cleanUp) {
  try {
    await cleanUp();
  } catch (error) {
    line(describe(error));
    process.exitCode = 1;
  }
}

/** A killed npm sends its script no signal; the launcher then stops by itself. */
function watchParent(stopping) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    requestStop(stopping, 'the end of npm');
  }, PARENT_WATCH_MS);
  watch.unref();
}

function requestStop(stopping, by) {
  if (stopping.signal.aborted) return;
  line('\nStopping …');
  endRunningCommands();
  stopping.abort(new PlainError(`stopped by ${by}`));
}

function listenForSignals(stopping) {
  let askedAtMs = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (stopping.signal.aborted && signal === 'SIGINT') {
        if (performance.now() - askedAtMs < SAME_CTRL_C_MS) return;
        line('Stopping at once.');
        process.exit(130);
      }
      askedAtMs = performance.now();
      requestStop(stopping, signal);
    });
  }
}
