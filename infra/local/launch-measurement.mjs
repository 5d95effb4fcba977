import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { launch } from './launcher.mjs';
import { line, step } from './print.mjs';
import { localFolder } from './project-paths.mjs';
import { loadOrCreateSecrets } from './secrets.mjs';

/**
 * Runs one measurement of `bench/` from a bare checkout and prints how long it took. Each measurement has its own folder
 * and secrets. `load` imports the measurement after the build, since it imports built packages; it receives `options`.
 */
export async function launchMeasurement(name, { load, options = {} }) {
  const folder = join(localFolder, name);
  await launch(
    name,
    async ({ record, signal, untilStopRequested, onStop }) => {
      const startedMs = Date.now();
      const toolchain = await bootstrap(step);
      const run = await load();
      let reportExit;
      const unexpectedExit = new Promise((_resolve, reject) => {
        reportExit = (exited) => reject(new Error(`${exited.name} exited unexpectedly (${exited.lastExit})`));
      });
      const isPassed = await Promise.race([
        run({
          ...options,
          isQuick: process.argv.includes('--quick'),
          toolchain,
          node: toolchain.node,
          folder,
          record,
          secrets: loadOrCreateSecrets(join(folder, 'secrets.json')),
          signal,
          onUnexpectedExit: reportExit,
          onStop,
        }),
        unexpectedExit,
        untilStopRequested.then(() => false),
      ]);
      line(`\n${((Date.now() - startedMs) / 1000).toFixed(0)} s in total.`);
      return isPassed ? 0 : 1;
    },
    { describeRunning: ({ pid }) => `Another ${name} is running (process ${pid}). Wait until it ends.` },
  );
}
