import { delimiter, dirname, join } from 'node:path';
import { localFolder, pnpmVersion, projectRoot, requiredNodeMajor } from './project-paths.mjs';
import { outputOf, runOrFail } from './run-command.mjs';

const toolchainFolder = join(localFolder, 'toolchain');
const modules = join(toolchainFolder, 'node_modules');
const ownBin = join(modules, '.bin');
const platformPackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

export const isRecentNode = (version) => Number(/^v(\d+)\./.exec(version ?? '')?.[1]) >= requiredNodeMajor;

/** The first location of a recent enough Node. */
async function findNode() {
  const places = [process.execPath, join(ownBin, 'node'), join(modules, platformPackage, 'bin', 'node')];
  for (const place of places) {
    const version = place === process.execPath ? process.version : await outputOf(place, ['--version']);
    if (isRecentNode(version)) return { executable: place, version: version.slice(1) };
  }
  return undefined;
}

const withPath = (...folders) => ({
  ...process.env,
  PATH: [...folders, process.env.PATH].join(delimiter),
});

const majorOf = (version) => version?.split('.')[0];

async function hasPnpm(env) {
  return majorOf(await outputOf('pnpm', ['--version'], { cwd: projectRoot, env })) === majorOf(pnpmVersion);
}

const npmInstall = (names, note) =>
  runOrFail('npm', ['install', '--prefix', toolchainFolder, '--no-audit', '--no-fund', '--loglevel=error', ...names], {
    cwd: projectRoot,
    onLine: note,
  });

async function installWhatIsMissing(note) {
  const needsNode = (await findNode()) === undefined;
  const needsPnpm = !(await hasPnpm(withPath(ownBin)));
  const missing = [...(needsNode ? [`node@${requiredNodeMajor}`] : []), ...(needsPnpm ? [`pnpm@${pnpmVersion}`] : [])];
  if (missing.length === 0) return;
  note(`installing ${missing.join(' and ')}`);
  await npmInstall(missing, note);
  // An install script of the package `node` fetches its executable; where scripts are forbidden, it is requested by
  // name.
  if ((await findNode()) === undefined) await npmInstall([`${platformPackage}@${requiredNodeMajor}`], note);
}

/**
 * Ensures a recent Node and the right pnpm, under `.local/toolchain` where the machine has none. Returns `{ node, env
 * }`: the executable for services and an environment with both tools.
 */
export async function ensureToolchain(note) {
  await installWhatIsMissing(note);
  const node = await findNode();
  if (node === undefined) throw new Error(`npm installed no Node ${requiredNodeMajor} that runs on this machine.`);
  const env = withPath(dirname(node.executable), ownBin);
  note(`Node ${node.version}, pnpm ${await outputOf('pnpm', ['--version'], { cwd: projectRoot, env })}`);
  return { node: node.executable, env };
}
