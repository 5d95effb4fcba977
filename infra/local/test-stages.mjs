import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { toolEnv } from './build.mjs';
import { countOf, failuresOf } from './jest-result.mjs';
import { line } from './print.mjs';
import { projectRoot } from './project-paths.mjs';
import { findPromtool } from './promtool.mjs';
import { run, tail } from './run-command.mjs';

const SHOWN_LINES = 200;

const tool = (path) => join(projectRoot, 'node_modules', path);

/** The checks of `npm test` that run nothing of the project. Each counts as one test. */
export const STATIC_CHECKS = [
  { name: 'Lint and format', script: tool('@biomejs/biome/bin/biome'), args: ['check', '--error-on-warnings'] },
  {
    name: 'Import rules',
    script: tool('dependency-cruiser/bin/dependency-cruiser.mjs'),
    args: ['apps', 'packages', 'tests'],
  },
  { name: 'Folder shape', script: join(projectRoot, 'infra/rules/check-shape.mjs'), args: [] },
  { name: 'Documents', script: join(projectRoot, 'infra/rules/check-docs.mjs'), args: [] },
  { name: 'Dead code', script: tool('knip/bin/knip.js'), args: ['--no-progress'] },
  {
    name: 'Types',
    script: tool('turbo/bin/turbo'),
    args: ['run', 'typecheck', '--continue', '--output-logs=errors-only'],
  },
];

/** Runs one script with the project's Node. Returns true if it passes; otherwise prints its output. */
export async function runCheck(toolchain, { script, args }) {
  const { code, output } = await run(toolchain.node, [script, ...args], { cwd: projectRoot, env: toolEnv(toolchain) });
  if (code !== 0) line(tail(output, SHOWN_LINES));
  return code === 0;
}

/**
 * Runs the alert tests with promtool: true if all pass; otherwise its output has been printed. Undefined without
 * promtool, which is no failure of the project; `npm test` reports it.
 */
export async function testAlerts(note) {
  const promtool = await findPromtool(note);
  if (promtool === undefined) return undefined;
  note(`promtool ${promtool.version}`);
  const { code, output } = await run(promtool.command, ['test', 'rules', 'infra/alerts/tests/alerts.yaml'], {
    cwd: projectRoot,
  });
  if (code !== 0) line(tail(output, SHOWN_LINES));
  return code === 0;
}

/** Runs one jest project and gives back `{ passed, failed }`; the failures have been printed. */
export async function runJest(toolchain, { project, resultFolder, env = {}, args: more = [], note }) {
  const resultFile = join(resultFolder, `${project}.json`);
  rmSync(resultFile, { force: true });
  const args = ['--selectProjects', project, '--maxWorkers=2', '--ci', '--passWithNoTests', ...more];
  const { code, output } = await run(
    toolchain.node,
    [tool('jest/bin/jest.js'), ...args, '--json', `--outputFile=${resultFile}`],
    {
      cwd: projectRoot,
      env: { ...toolEnv(toolchain), NODE_OPTIONS: '--experimental-vm-modules', ...env },
      onLine: note,
    },
  );
  if (!existsSync(resultFile)) {
    line(tail(output, SHOWN_LINES));
    return { passed: 0, failed: 1 };
  }
  const result = JSON.parse(readFileSync(resultFile, 'utf8'));
  for (const text of failuresOf(result, projectRoot)) line(text);
  const count = countOf(result);
  // No test failed, so the error is outside of all tests, and only the output shows it.
  if (code === 0 || count.failed > 0) return count;
  line(tail(output, SHOWN_LINES));
  return { ...count, failed: 1 };
}
