import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { launch } from './launcher.mjs';
import { line, step } from './print.mjs';
import { localFolder } from './project-paths.mjs';
import { keptSecrets } from './secrets.mjs';

const folder = join(localFolder, 'rollout');

const given = (name) => process.argv.includes(name);
const wordAfter = (name) => (given(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);

await launch(
  'rollout',
  async ({ record, signal, untilAsked, onStop }) => {
    const startedMs = Date.now();
    const toolchain = await bootstrap(step);
    // Not before the packages are built: it needs some of them.
    const { runRollout } = await import('../../bench/run-rollout.mjs');
    let reportDeath;
    const untilDeath = new Promise((_resolve, reject) => {
      reportDeath = ({ name, lastExit }) => reject(new Error(`${name} ended by itself (${lastExit})`));
    });
    const isGood = await Promise.race([
      runRollout({
        isQuick: given('--quick'),
        isSame: given('--same'),
        from: wordAfter('--from'),
        toolchain,
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
  { describeRunning: ({ pid }) => `A rollout already runs (process ${pid}).` },
);

// All is stopped by now. Left to itself, Node spins in its own end over sockets whose other side was in this process too.
process.exit();
