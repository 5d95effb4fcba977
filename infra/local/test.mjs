import { mkdirSync, rmSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { installAll } from './bootstrap.mjs';
import { buildAll } from './build.mjs';
import { launch } from './launcher.mjs';
import { reserveRandomPort } from './ports.mjs';
import { formatError, line, PlainError, step } from './print.mjs';
import { localFolder } from './project-paths.mjs';
import { newSecrets } from './secrets.mjs';
import { runCheck, runJest, STATIC_CHECKS, testAlerts } from './test-stages.mjs';

const folder = join(localFolder, 'test');
// Each run deletes the temporary files of the previous one.
const temporaryFolder = join(folder, 'tmp');
const total = { passed: 0, failed: 0 };
// Long logs are often cut to their end, so the last lines name what failed.
const failures = [];

const PASSED = { passed: 1, failed: 0 };
const FAILED = { passed: 0, failed: 1 };
const NOT_RUN = { passed: 0, failed: 0 };

/** Runs one stage even if earlier ones failed, and adds its counts to the total. A stage that throws is one failure. */
async function stage(name, signal, work) {
  if (signal.aborted) return FAILED;
  const count = await step(name, work, { isPassed: ({ failed }) => failed === 0 }).catch((error) => {
    line(formatError(error));
    return FAILED;
  });
  total.passed += count.passed;
  total.failed += count.failed;
  if (count.failed > 0) failures.push(...(count.failures ?? [name]));
  return count;
}

/** Puts a downloaded Redis on the PATH, for tests that start their own Redis. */
const withRedisOnPath = ({ env }, { command }) =>
  isAbsolute(command ?? '') ? { PATH: [dirname(command), env.PATH].join(delimiter) } : {};

/** The tests that need it fail by themselves, and this says why. */
const reportExit = ({ name, lastExit }) => line(`  ${name} exited unexpectedly (${lastExit})`);

async function startStores({ record, onStop, toolchain }) {
  const { startPostgres } = await import('./postgres.mjs');
  const { startRedis } = await import('./redis.mjs');
  const { findRedis } = await import('./redis-executable.mjs');
  const { findChromium } = await import('./chromium.mjs');
  const { findGo } = await import('./go.mjs');
  const { findClientPrograms } = await import('./client-programs.mjs');
  const { makeTemplate } = await import('./database-setup.mjs');
  const postgres = await startPostgres({
    record,
    isThrowaway: true,
    home: join(folder, 'postgres'),
    port: await reserveRandomPort(),
    password: newSecrets().postgresPassword,
    logFile: join(folder, 'postgres.log'),
    onUnexpectedExit: reportExit,
  });
  onStop(() => postgres.process.stop());
  const redis = await startRedis({
    name: 'redis',
    record,
    isThrowaway: true,
    port: await reserveRandomPort(),
    folder: join(folder, 'redis'),
    logFile: join(folder, 'redis.log'),
    onUnexpectedExit: reportExit,
  });
  onStop(() => redis.stop());
  const go = await findGo(line);
  const programs = await findClientPrograms(line);
  return {
    TEST_DATABASE_URL: postgres.url,
    TEST_DATABASE_TEMPLATE: await makeTemplate({ node: toolchain.node, serverUrl: postgres.url }),
    TEST_REDIS_URL: redis.url,
    GATEWAY_RUN_RECORD: record.folder,
    CHROMIUM: await findChromium(line),
    ...(go !== undefined && { GO: go }),
    ...(programs !== undefined && { CLIENT_PROGRAMS: programs }),
    ...withRedisOnPath(toolchain, await findRedis(line)),
  };
}

async function runStages({ record, signal, onStop }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(temporaryFolder, { recursive: true });
  const toolchain = await installAll(step);
  const built = await stage('Build', signal, async (note) => {
    await buildAll(toolchain, note);
    return PASSED;
  });
  for (const check of STATIC_CHECKS) {
    await stage(check.name, signal, async () => ((await runCheck(toolchain, check)) ? PASSED : FAILED));
  }
  await stage('Alert tests', signal, async (note) => {
    const isPassed = await testAlerts(note);
    if (isPassed !== undefined) return isPassed ? PASSED : FAILED;
    note('NOT RUN: promtool is missing. The package prometheus of Debian and Homebrew includes it');
    return NOT_RUN;
  });
  const jest =
    (project, { env, workers } = {}) =>
    async (note) => {
      if (built === FAILED) throw new PlainError('Not run: the build failed.');
      const count = await runJest(toolchain, {
        project,
        workers,
        env: { TMPDIR: temporaryFolder, ...env },
        resultFolder: folder,
        note,
      });
      note(`${count.passed} passed, ${count.failed} failed`);
      return count;
    };
  await stage('Unit tests', signal, jest('unit'));
  if (signal.aborted) return;
  const stores = await step('PostgreSQL and Redis', () => startStores({ record, onStop, toolchain }));
  await stage('Integration tests', signal, jest('integration', { env: stores }));
  // Half of a scenario's time is waiting: three share two cores well.
  await stage('Scenario tests', signal, jest('scenario', { env: stores, workers: 3 }));
}

process.env.CI = 'true';
await launch(
  'test',
  async (context) => {
    await runStages(context).catch((error) => {
      total.failed += 1;
      throw error;
    });
    if (context.signal.aborted) total.failed += 1;
    return total.failed === 0 ? 0 : 1;
  },
  {
    describeRunning: ({ pid }) => {
      total.failed += 1;
      return `The tests are already running (process ${pid}). Wait until they end.`;
    },
  },
);
for (const failure of failures) line(`✗ ${failure}`);
line(`${total.passed} passed, ${total.failed} failed`);
