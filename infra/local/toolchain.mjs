import { delimiter, dirname, join } from 'node:path';
import { localFolder, pnpmVersion, projectRoot, requiredNodeMajor } from './project-paths.mjs';
import { runOrFail, tryRun } from './run-command.mjs';

const toolchainFolder = join(localFolder, 'toolchain');
const modules = join(toolchainFolder, 'node_modules');
const ownBin = join(modules, '.bin');
const platformPackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

export const isRecentNode = (version) => Number(/^v(\d+)\./.exec(version ?? '')?.[1]) >= requiredNodeMajor;

/** Returns the first recent Node as `{ executable, version }`, or undefined. */
async function findNode() {
  const candidates = [process.execPath, join(ownBin, 'node'), join(modules, platformPackage, 'bin', 'node')];
  for (const executable of candidates) {
    const version = executable === process.execPath ? process.version : await tryRun(executable, ['--version']);
    if (isRecentNode(version)) return { executable, version: version.slice(1) };
  }
  return undefined;
}

const withPath = (...folders) => ({
  ...process.env,
  PATH: [...folders, process.env.PATH].join(delimiter),
});

const majorOf = (version) => version?.split('.')[0];

async function hasPnpm(env) {
  return majorOf(await tryRun('pnpm', ['--version'], { cwd: projectRoot, env })) === majorOf(pnpmVersion);
}

const npmInstall = (names, note) =>
  runOrFail('npm', ['install', '--prefix', toolchainFolder, '--no-audit', '--no-fund', '--loglevel=error', ...names], {
    cwd: projectRoot,
    onLine: note,
  });

async function installMissingTools(note) {
  const needsNode = (await findNode()) === undefined;
  const needsPnpm = !(await hasPnpm(withPath(ownBin)));
  const missing = [...(needsNode ? [`node@${requiredNodeMajor}`] : []), ...(needsPnpm ? [`pnpm@${pnpmVersion}`] : [])];
  if (missing.length === 0) return;
  note(`installing ${missing.join(' and ')}`);
  await npmInstall(missing, note);
  // The package `node` downloads its executable in an install script. If scripts are disabled, install the platform package.
  if ((await findNode()) === undefined) await npmInstall([`${platformPackage}@${requiredNodeMajor}`], note);
}

/**
 * Ensures a recent Node and the required pnpm, and installs missing ones under `.local/toolchain`. Returns `{ node, env }`:
 * the executable for the services, and an environment whose PATH has both.
 */
export async function ensureToolchain(note) {
  await installMissingTools(note);
  const node = await findNode();
  if (node === undefined)
    throw new Error(
      `npm could not install a Node ${requiredNodeMajor} that runs on this machine. Install it and try again.`,
    );
  const env = withPath(dirname(node.executable), ownBin);
  note(`Node ${node.version}, pnpm ${await tryRun('pnpm', ['--version'], { cwd: projectRoot, env })}`);
  return { node: node.executable, env };
}
