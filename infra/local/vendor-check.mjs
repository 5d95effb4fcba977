import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { formatError, line, step } from './print.mjs';
import { projectRoot } from './project-paths.mjs';

/*
 * `npm run models` and `npm run probe -- <vendor>`: builds, then runs apps/vendor-check with the shell's variables, which
 * have the credentials. Its exit code is the command's.
 */

const PROGRAM = join(projectRoot, 'apps/vendor-check/dist/bundle/main.js');

async function run() {
  const { node } = await bootstrap(step);
  const child = spawn(node, [PROGRAM, ...process.argv.slice(2)], { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 2));
  });
}

process.exitCode = await run().catch((error) => {
  line(formatError(error));
  return 2;
});
