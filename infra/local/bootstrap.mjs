import { buildAll, installPackages } from './build.mjs';
import { ensureToolchain } from './toolchain.mjs';

/** From a bare checkout to one with its tools: Node and pnpm, and every package. */
export async function installAll(step) {
  const toolchain = await step('Toolchain', ensureToolchain);
  await step('Packages', (note) => installPackages(toolchain, note));
  return toolchain;
}

/** The same, and everything built. */
export async function bootstrap(step) {
  const toolchain = await installAll(step);
  await step('Build', (note) => buildAll(toolchain, note));
  return toolchain;
}
