import { buildAll, installPackages } from './build.mjs';
import { ensureToolchain } from './toolchain.mjs';

/** Installs the tools of a bare checkout: Node, pnpm and every package. */
export async function installAll(step) {
  const toolchain = await step('Toolchain', ensureToolchain);
  await step('Packages', (note) => installPackages(toolchain, note));
  return toolchain;
}

/** Installs the tools and builds everything. */
export async function bootstrap(step) {
  const toolchain = await installAll(step);
  await step('Build', (note) => buildAll(toolchain, note));
  return toolchain;
}
