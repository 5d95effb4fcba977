import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localFolder, projectRoot } from './project-paths.mjs';
import { run, tail } from './run-command.mjs';

/**
 * The command-line assistants that scenarios run unchanged. They have some 850 MB together, so they are no
 * dependencies of the project: `npm test` installs them beside it.
 */
const PROGRAMS = ['@anthropic-ai/claude-code@2.1.330', '@google/gemini-cli@0.61.0', '@openai/codex@0.169.0'];

const FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
const SHOWN_LINES = 3;

/**
 * Returns the folder whose `node_modules` has the programs, or undefined if npm cannot install them: their scenarios are
 * skipped then.
 */
export async function findClientPrograms(note, folder = join(localFolder, 'client-programs')) {
  const stamp = join(folder, 'installed.json');
  const wanted = JSON.stringify(PROGRAMS);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Without a manifest, npm would install into the project above.
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const install = ['install', '--prefix', folder, ...FLAGS, ...PROGRAMS];
  const { code, output } = await run('npm', install, { cwd: projectRoot }).catch(({ message }) => ({
    output: message,
  }));
  if (code !== 0) {
    note(`NOT RUN: the command-line assistants, which npm could not install: ${tail(output, SHOWN_LINES)}`);
    return undefined;
  }
  writeFileSync(stamp, wanted);
  return folder;
}
