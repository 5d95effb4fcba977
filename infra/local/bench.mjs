import { join } from 'node:path';
import { buildAll, installPackages } from './build.mjs';
import { launch } from './launcher.mjs';
import { line, step } from './print.mjs';
import { localFolder } from './project-paths.mjs';
import { keptSecrets } from './secrets.mjs';
import { ensureToolchain } from './toolchain.mjs';

const folder = join(localFolder, 'bench');

async function chosenBench() {
  if (process.argv.includes('--money')) return (await import('../../bench/run-money-bench.mjs')).runMoneyBench;
  if (process.argv.includes('--tasks')) return (await import('../../bench/run-task-bench.mjs')).runTaskBench;
  return (await import('../../bench/run-bench.mjs')).runBench;
}

await launch(
  'bench',
  async ({ record, signal, untilAsked, onStop }) => {
    const startedMs = Date.now();
    const toolchain = await step('Toolchain', ensureToolchain);
    await step('Packages', (note) => installPackages(toolchain, note));
    await step('Build', (note) => buildAll(toolchain, note));
    // Not before the packages are installed: it needs some of them.
    const run = await chosenBench();
    let reportDeath;
    const untilDeath = new Promise((_resolve, reject) => {
      reportDeath = ({ name, lastExit }) => reject(new Error(`${name} ended by itself (${lastExit})`));
    });
    const isGood = await Promise.race([
      run({
        isQuick: process.argv.includes('--quick'),
        node: toolchain.node,
        folder,
        record,
        secrets: keptSecrets(join(folder, 'secrets.json')),
        signal,
        onUnexpectedExit: reportDeath,
        onStop,
      }),
      untilDeath,
      untilAsked.then(() => false),
    ]);
    line(`\n${((Date.now() - startedMs) / 1000).toFixed(0)} s in all.`);
    return isGood ? 0 : 1;
  },
  { describeRunning: ({ pid }) => `A bench already runs (process ${pid}).` },
);
