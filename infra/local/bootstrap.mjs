import { buildAll, installPackages } from './build.mjs';
import { ensureToolchain } from './toolchain.mjs';

/** Installs Node and pnpm where they are missing, and every package. */
export async function installAll(step) {
  const toolchain = await step('Toolchain', ensureToolchain);
  await step('Packages', (note) => installPackages(toolchain, note));
  return toolchain;
}

/** Installs everything and builds it. */
export async function bootstrap(step) {
  const toolchain = await installAll(step);
  await step('Build', (note) => buildAll(toolchain, note));
  return toolchain;
}
