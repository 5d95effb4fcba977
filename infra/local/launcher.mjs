import { join } from 'node:path';
import { describe, line, outliveReader, PlainError } from './print.mjs';
import { localFolder } from './project-paths.mjs';
import { endRunningCommands } from './run-command.mjs';
import { RunRecord } from './run-record.mjs';

const PARENT_WATCH_MS = 300;
/** The terminal gives a Ctrl-C to npm and to us, and npm passes its own on: within this time it is the same one. */
const SAME_CTRL_C_MS = 1_000;

/**
 * The frame of every entry point here: one run of its kind at a time, what a killed run left behind is ended first,
 * Ctrl-C and SIGTERM lead to `stop` (a second one to an immediate end), and the exit code reports the result.
 *
 * `work({ record, untilAsked, onStop })` does the job; `untilAsked` resolves when someone asks to stop; clean-ups
 * given to `onStop` run at the end, the last one first, whatever happened.
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

/** npm may be killed without a word to the script that it runs; what it started ends then. */
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
