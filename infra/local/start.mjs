import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { launch } from './launcher.mjs';
import { onFreePorts, rememberPorts } from './ports.mjs';
import { line, step } from './print.mjs';
import { gatewayFile, localFolder, projectRoot } from './project-paths.mjs';
import { tail } from './run-command.mjs';
import { loadSecrets, writePrivateJson } from './secrets.mjs';
import { describeRunning, welcome } from './welcome.mjs';

const PREFERRED_POSTGRES_PORT = 5433;
const logFolder = join(localFolder, 'logs');
const takePort = rememberPorts(join(localFolder, 'ports.json'));

async function ownPostgres({ record, secrets, onUnexpectedExit, onStop }, note) {
  // After the installation of packages: the stores' modules need one of them.
  const { startPostgres } = await import('./postgres.mjs');
  const postgres = await onFreePorts(async () =>
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
  const secrets = loadSecrets(join(localFolder, 'secrets.json'));
  const databaseUrl =
    process.env.DATABASE_URL ??
    (await unlessStopped('PostgreSQL', (note) => ownPostgres({ record, secrets, onUnexpectedExit, onStop }, note)));
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
  adminToken: stack.adminToken,
  apiKey: stack.apiKey,
  simulatorUrl: stack.simulatorUrl,
  redisUrl: stack.redisUrl,
  queueRedisUrl: stack.queueRedisUrl,
  databaseUrl: stack.databaseUrl,
});

/** The credit of the demo key, in USD. */
async function balanceOf({ accountUrl, apiKey }) {
  const response = await fetch(`${accountUrl}/account/balance`, { headers: { authorization: `Bearer ${apiKey}` } });
  if (!response.ok) throw new Error(`${accountUrl}/account/balance returned ${response.status}`);
  return (await response.json()).available_usd;
}

await launch(
  'start',
  async ({ record, signal, untilStopped, onStop }) => {
    let reportDeath;
    const untilDeath = new Promise((resolve) => {
      reportDeath = resolve;
    });
    const stack = await startAll({ record, signal, onStop, onUnexpectedExit: reportDeath });
    writePrivateJson(gatewayFile, addressesOf(stack));
    onStop(() => rmSync(gatewayFile, { force: true }));
    line(welcome(addressesOf(stack), await balanceOf(stack)));
    const dead = await Promise.race([untilStopped, untilDeath]);
    if (dead === 'stopped') return 0;
    line(`\n${dead.name} ended by itself (${dead.lastExit}); everything else is stopped now. The end of its log:`);
    line(tail(dead.log(), 30));
    return 1;
  },
  { describeRunning },
);
