import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { launch } from './launcher.mjs';
import { line, step } from './print.mjs';
import { localFolder } from './project-paths.mjs';
import { loadSecrets } from './secrets.mjs';

/**
 * Runs one measurement of `bench/` from a bare checkout with its own folder and secrets, and prints its duration.
 * `load` imports the measurement once its packages are built; `options` are passed to it.
 */
export async function launchMeasurement(name, { load, options = {} }) {
  const folder = join(localFolder, name);
  await launch(
    name,
    async ({ record, signal, untilStopped, onStop }) => {
      const startedMs = Date.now();
      const toolchain = await bootstrap(step);
      const run = await load();
      let reportDeath;
      const untilDeath = new Promise((_resolve, reject) => {
        reportDeath = (ended) => reject(new Error(`${ended.name} ended by itself (${ended.lastExit})`));
      });
      const isGood = await Promise.race([
        run({
          ...options,
          isQuick: process.argv.includes('--quick'),
          toolchain,
          node: toolchain.node,
          folder,
          record,
          secrets: loadSecrets(join(folder, 'secrets.json')),
          signal,
          onUnexpectedExit: reportDeath,
          onStop,
        }),
        untilDeath,
        untilStopped.then(() => false),
      ]);
      line(`\n${((Date.now() - startedMs) / 1000).toFixed(0)} s in all.`);
      return isGood ? 0 : 1;
    },
    { describeRunning: ({ pid }) => `A ${name} already runs (process ${pid}).` },
  );
}
