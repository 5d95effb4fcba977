import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from './print.mjs';
import { projectRoot } from './project-paths.mjs';
import { runOrFail } from './run-command.mjs';

/** Disables telemetry, prompts and colours of the tools. */
const quiet = { CI: 'true', TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', NO_COLOR: '1', FORCE_COLOR: '0' };

export const toolEnv = (toolchain) => ({ ...toolchain.env, ...quiet });

export async function installPackages(toolchain, note, root = projectRoot) {
  await runOrFail('pnpm', ['install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only'], {
    cwd: root,
    env: toolEnv(toolchain),
    onLine: note,
  });
}

/** Builds changed packages; turbo caches the other outputs. */
export async function buildAll(toolchain, note, root = projectRoot) {
  const output = await runOrFail('pnpm', ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only'], {
    cwd: root,
    env: toolEnv(toolchain),
    onLine: note,
  });
  note(/Cached:\s+(.*)/.exec(output)?.[1] ?? '');
}

/** The built file of an app or package. Throws an error with the command to run if it is missing. */
export function builtFile(path, root = projectRoot) {
  const file = join(root, path);
  if (!existsSync(file)) throw new PlainError(`${path} is missing: run \`pnpm turbo run build\` (npm start does it).`);
  return file;
}
