import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { launch } from './launcher.mjs';
import { rememberPorts, retryOnTakenPort } from './ports.mjs';
import { line, step } from './print.mjs';
import { gatewayFile, localFolder, projectRoot } from './project-paths.mjs';
import { tail } from './run-command.mjs';
import { loadOrCreateSecrets, writePrivateJson } from './secrets.mjs';
import { describeRunning, welcome } from './welcome.mjs';

const PREFERRED_POSTGRES_PORT = 5433;
const logFolder = join(localFolder, 'logs');
const takePort = rememberPorts(join(localFolder, 'ports.json'));

async function startLocalPostgres({ record, secrets, onUnexpectedExit, onStop }, note) {
  // This module imports a package, so it can load only after the installation.
  const { startPostgres } = await import('./postgres.mjs');
  const postgres = await retryOnTakenPort(async () =>
    startPostgres({
      home: join(localFolder, 'postgres'),
      port: await takePort(PREFERRED_POSTGRES_PORT),
      password: secrets.postgresPassword,
      logFile: join(logFolder, 'postgres.log'),
      record,
      onUnexpectedExit,
    }),
  );
  onStop(() => step('Stopping PostgreSQL', () => postgres.process.stop()));
  note(`data in ${relative(projectRoot, postgres.dataFolder)}`);
  return postgres.url;
}

async function startAll({ record, signal, onStop, onUnexpectedExit }) {
  const unlessStopped = (name, work) => {
    signal.throwIfAborted();
    return step(name, work);
  };
  const toolchain = await bootstrap(unlessStopped);
  const secrets = loadOrCreateSecrets(join(localFolder, 'secrets.json'));
  const databaseUrl =
    process.env.DATABASE_URL ??
    (await unlessStopped('PostgreSQL', (note) =>
      startLocalPostgres({ record, secrets, onUnexpectedExit, onStop }, note),
    ));
  const { startStack } = await import('./stack.mjs');
  const stack = await startStack({
    folder: localFolder,
    record,
    secrets,
    node: toolchain.node,
    shell: process.env,
    databaseUrl,
    ownsDatabase: false,
    redisUrl: process.env.REDIS_URL,
    queueRedisUrl: process.env.QUEUE_REDIS_URL,
    hasDemo: true,
    demoFile: join(localFolder, 'demo.json'),
    takePort,
    onUnexpectedExit,
    step: unlessStopped,
  });
  onStop(() =>
    stack.stop((instance, { isForced }) => line(`✓ stopped ${instance.name}${isForced ? ' (by force)' : ''}`)),
  );
  return stack;
}

const addressesOf = (stack) => ({
  baseUrl: stack.baseUrl,
  mcpUrl: stack.mcpUrl ?? null,
  accountUrl: stack.accountUrl,
  consoleUrl: `${stack.accountUrl}/console/`,
  adminToken: stack.adminToken,
  apiKey: stack.apiKey,
  demoEmail: stack.demo.email,
  demoPassword: stack.secrets.demoPassword,
  simulatorUrl: stack.simulatorUrl,
  redisUrl: stack.redisUrl,
  queueRedisUrl: stack.queueRedisUrl,
  databaseUrl: stack.databaseUrl,
});

/** Returns the demo account's available balance in USD. */
async function fetchBalance({ accountUrl, apiKey }) {
  const response = await fetch(`${accountUrl}/account/balance`, { headers: { authorization: `Bearer ${apiKey}` } });
  if (!response.ok) throw new Error(`${accountUrl}/account/balance returned ${response.status}`);
  return (await response.json()).available_usd;
}

await launch(
  'start',
  async ({ record, signal, untilStopRequested, onStop }) => {
    let reportExit;
    const unexpectedExit = new Promise((resolve) => {
      reportExit = resolve;
    });
    const stack = await startAll({ record, signal, onStop, onUnexpectedExit: reportExit });
    writePrivateJson(gatewayFile, addressesOf(stack));
    onStop(() => rmSync(gatewayFile, { force: true }));
    line(welcome(addressesOf(stack), await fetchBalance(stack)));
    const outcome = await Promise.race([untilStopRequested, unexpectedExit]);
    if (outcome === 'stop requested') return 0;
    line(
      `\n${outcome.name} exited unexpectedly (${outcome.lastExit}). The other services stop now. Last lines of its log:`,
    );
    line(tail(outcome.log(), 30));
    return 1;
  },
  { describeRunning },
);
