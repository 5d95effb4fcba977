import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('./load-generator.mjs', import.meta.url));

/** The load generator is its own process, so that its work neither counts for nor delays the candidate. */
export function startLoadGenerator(node) {
  const child = fork(entry, { execPath: node, serialization: 'advanced' });
  const run = (round) =>
    new Promise((resolve, reject) => {
      const onExit = (code, signal) => reject(new Error(`the load generator ended (${signal ?? code})`));
      child.once('exit', onExit);
      child.once('message', ({ result, failure }) => {
        child.off('exit', onExit);
        if (failure === undefined) resolve(result);
        else reject(new Error(failure));
      });
      child.send(round);
    });
  return { run, stop: () => child.kill() };
}
