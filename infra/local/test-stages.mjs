import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { toolEnv } from './build.mjs';
import { countTests, formatFailures, nameFailures } from './jest-result.mjs';
import { line } from './print.mjs';
import { projectRoot } from './project-paths.mjs';
import { findPromtool } from './promtool.mjs';
import { run, tail } from './run-command.mjs';

const SHOWN_LINES = 200;

const tool = (path) => join(projectRoot, 'node_modules', path);

/** Checks of `npm test` that run no service. Each counts as one test. */
export const STATIC_CHECKS = [
  { name: 'Lint and format', script: tool('@biomejs/biome/bin/biome'), args: ['check', '--error-on-warnings'] },
  {
    name: 'Import rules',
    script: tool('dependency-cruiser/bin/dependency-cruiser.mjs'),
    args: ['apps', 'packages', 'tests'],
  },
  { name: 'Folder shape', script: join(projectRoot, 'infra/rules/check-shape.mjs'), args: [] },
  { name: 'Retirements', script: join(projectRoot, 'infra/rules/check-retirements.mjs'), args: [] },
  { name: 'Documents', script: join(projectRoot, 'infra/rules/check-docs.mjs'), args: [] },
  { name: 'Prose', script: join(projectRoot, 'infra/rules/check-prose.mjs'), args: [] },
  { name: 'Words', script: join(projectRoot, 'infra/rules/check-words.mjs'), args: [] },
  { name: 'API compatibility', script: join(projectRoot, 'infra/rules/check-openapi.mjs'), args: [] },
  { name: 'Dead code', script: tool('knip/bin/knip.js'), args: ['--no-progress'] },
  {
    name: 'Types',
    script: tool('turbo/bin/turbo'),
    args: ['run', 'typecheck', '--continue', '--output-logs=errors-only'],
  },
];

/** Runs one check with the project's Node. Returns true if it passes; otherwise prints its output. */
export async function runCheck(toolchain, { script, args }) {
  const { code, output } = await run(toolchain.node, [script, ...args], { cwd: projectRoot, env: toolEnv(toolchain) });
  if (code !== 0) line(tail(output, SHOWN_LINES));
  return code === 0;
}

/** Series that make each alert fire, and series that must not; those of days are stepped in minutes. */
export const ALERT_TESTS = ['infra/alerts/tests/alerts.yaml', 'infra/alerts/tests/days.yaml'];

/**
 * Runs the alert tests with promtool. Returns true if all pass; otherwise prints the output. Returns undefined without
 * promtool: the project has not failed then, and `npm test` reports the stage as not run.
 */
export async function testAlerts(note) {
  const promtool = await findPromtool(note);
  if (promtool === undefined) return undefined;
  note(`promtool ${promtool.version}`);
  const { code, output } = await run(promtool.command, ['test', 'rules', ...ALERT_TESTS], {
    cwd: projectRoot,
  });
  if (code !== 0) line(tail(output, SHOWN_LINES));
  return code === 0;
}

/** Runs one jest project, prints its failures, and returns `{ passed, failed, failures }`: two counts and a line for each failure. */
export async function runJest(toolchain, { project, workers = 2, resultFolder, env = {}, args: extraArgs = [], note }) {
  const resultFile = join(resultFolder, `${project}.json`);
  rmSync(resultFile, { force: true });
  const args = ['--selectProjects', project, `--maxWorkers=${workers}`, '--ci', '--passWithNoTests', ...extraArgs];
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
    return { passed: 0, failed: 1, failures: [`${project}: jest wrote no result`] };
  }
  const result = JSON.parse(readFileSync(resultFile, 'utf8'));
  for (const text of formatFailures(result, projectRoot)) line(text);
  const count = { ...countTests(result), failures: nameFailures(result, projectRoot) };
  // Jest failed but no test did, so only the output shows the error.
  if (code === 0 || count.failed > 0) return count;
  line(tail(output, SHOWN_LINES));
  return { ...count, failed: 1, failures: [`${project}: jest exited with ${code}`] };
}
