import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { installAll } from './bootstrap.mjs';
import { buildAll } from './build.mjs';
import { launch } from './launcher.mjs';
import { formatError, line, step } from './print.mjs';
import { localFolder, projectRoot } from './project-paths.mjs';
import { tryRun } from './run-command.mjs';
import { runCheck, runJest, STATIC_CHECKS } from './test-stages.mjs';

/*
 * `npm run check` checks a change before a push. It needs no stores and starts no service. It runs the unit tests that
 * the change since main can affect; `-- --all` runs all of them.
 */

const MAIN_BRANCHES = ['origin/main', 'main'];

/** Returns the commit at which this branch left main, or undefined outside a Git checkout. */
async function baseOfChange() {
  for (const branch of MAIN_BRANCHES) {
    const base = await tryRun('git', ['merge-base', 'HEAD', branch], { cwd: projectRoot });
    if (base !== undefined) return base;
  }
  return undefined;
}

async function unitTestArgs() {
  if (process.argv.includes('--all')) return [];
  const base = await baseOfChange();
  return base === undefined ? [] : [`--changedSince=${base}`];
}

async function runAll(signal) {
  const folder = join(localFolder, 'check');
  mkdirSync(folder, { recursive: true });
  const failed = [];
  const stage = async (name, work) => {
    signal.throwIfAborted();
    const isPassed = await step(name, work, { isPassed: (result) => result }).catch((error) => {
      line(formatError(error));
      return false;
    });
    if (!isPassed) failed.push(name);
  };
  const toolchain = await installAll(step);
  await stage('Build', async (note) => {
    await buildAll(toolchain, note);
    return true;
  });
  for (const check of STATIC_CHECKS) await stage(check.name, () => runCheck(toolchain, check));
  const args = await unitTestArgs();
  await stage('Unit tests', async (note) => {
    const count = await runJest(toolchain, { project: 'unit', resultFolder: folder, note, args });
    note(
      `${count.passed} passed, ${count.failed} failed${args.length === 0 ? '' : ' (only tests affected by the change)'}`,
    );
    return count.failed === 0;
  });
  return failed;
}

await launch(
  'check',
  async ({ signal }) => {
    const failed = await runAll(signal);
    line(failed.length === 0 ? '\nAll checks passed.' : `\nFailed checks: ${failed.join(', ')}. See the output above.`);
    return failed.length === 0 ? 0 : 1;
  },
  { describeRunning: ({ pid }) => `Another check is running (process ${pid}). Wait until it ends.` },
);
