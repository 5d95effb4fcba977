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
 * untilAsked, onStop })` does the job; `untilAsked` resolves at a request to stop. Clean-ups given to `onStop` always
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
  const asked = new AbortController();
  listenForSignals(asked);
  watchParent(asked);
  try {
    const orphans = await record.endOrphans();
    if (orphans.length > 0) line(`  ended what an earlier run had left running: ${orphans.join(', ')}`);
    process.exitCode = await work({
      record,
      signal: asked.signal,
      untilAsked: new Promise((resolve) =>
        asked.signal.addEventListener('abort', () => resolve('asked'), { once: true }),
      ),
      onStop: (cleanUp) => cleanUps.push(cleanUp),
    });
  } catch (error) {
    if (!asked.signal.aborted) line(`\n${describe(error)}`);
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
function watchParent(asked) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    ask(asked, 'the end of npm');
  }, PARENT_WATCH_MS);
  watch.unref();
}

function ask(asked, by) {
  if (asked.signal.aborted) return;
  line('\nStopping …');
  endRunningCommands();
  asked.abort(new PlainError(`stopped by ${by}`));
}

function listenForSignals(asked) {
  let askedAtMs = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (asked.signal.aborted && signal === 'SIGINT') {
        if (performance.now() - askedAtMs < SAME_CTRL_C_MS) return;
        line('Stopping at once.');
        process.exit(130);
      }
      askedAtMs = performance.now();
      ask(asked, signal);
    });
  }
}
