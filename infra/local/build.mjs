import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from './print.mjs';
import { projectRoot } from './project-paths.mjs';
import { runOrFail } from './run-command.mjs';

/** What keeps the tools from phoning home, from asking questions and from colouring a log. */
const quiet = { CI: 'true', TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', NO_COLOR: '1', FORCE_COLOR: '0' };

export const toolEnv = (toolchain) => ({ ...toolchain.env, ...quiet });

export async function installPackages(toolchain, note, root = projectRoot) {
  await runOrFail('pnpm', ['install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only'], {
    cwd: root,
    env: toolEnv(toolchain),
    onLine: note,
  });
}

/** Builds what changed: turbo keeps the outputs of everything that did not. */
export async function buildAll(toolchain, note, root = projectRoot) {
  const output = await runOrFail('pnpm', ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only'], {
    cwd: root,
    env: toolEnv(toolchain),
    onLine: note,
  });
  note(/Cached:\s+(.*)/.exec(output)?.[1] ?? '');
}

/** The built file of an app or package, or an error that says what to run. */
export function builtFile(path, root = projectRoot) {
  const file = join(root, path);
  if (!existsSync(file)) throw new PlainError(`${path} is missing: run \`pnpm turbo run build\` (npm start does it).`);
  return file;
}
