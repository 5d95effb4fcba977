import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from './print.mjs';
import { projectRoot } from './project-paths.mjs';
import { runOrFail } from './run-command.mjs';

/** Switches off telemetry, prompts and colours. */
const QUIET_ENV = { CI: 'true', TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', NO_COLOR: '1', FORCE_COLOR: '0' };

export const toolEnv = (toolchain) => ({ ...toolchain.env, ...QUIET_ENV });

export async function installPackages(toolchain, note, root = projectRoot) {
  await runOrFail('pnpm', ['install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only'], {
    cwd: root,
    env: toolEnv(toolchain),
    onLine: note,
  });
}

/** Builds what changed. Turbo caches the other outputs. */
export async function buildAll(toolchain, note, root = projectRoot) {
  const output = await runOrFail('pnpm', ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only'], {
    cwd: root,
    env: toolEnv(toolchain),
    onLine: note,
  });
  note(/Cached:\s+(.*)/.exec(output)?.[1] ?? '');
}

/** Returns the path of a built file. Throws PlainError with the build command if it is missing. */
export function builtFile(path, root = projectRoot) {
  const file = join(root, path);
  if (!existsSync(file)) throw new PlainError(`${path} is missing. Run \`npm start\`, or \`pnpm turbo run build\`.`);
  return file;
}
