import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { AccountClient, createCustomer, startTestStack } from '@gateway/testing';
import { reserveRandomPort } from '../../infra/local/ports.mjs';
import { step } from '../../infra/local/print.mjs';
import { startOwnPostgres } from '../start-own-postgres.mjs';
import { Balancer } from './balancer.mjs';
import { WebhookReceiver } from './webhook-receiver.mjs';

const UNLIMITED = { rpm: 0, concurrency: 0 };

/** In the order of `infra/k8s/roll-out.sh`: billing, workers, then the services that customers call. */
export const SERVICES = ['billing', 'sync-worker', 'video-worker', 'api-edge', 'accounts', 'mcp-server'];

/** Services with an address; workers claim their work and need none. */
const REACHED = ['billing', 'accounts', 'api-edge', 'mcp-server'];

async function openBalancers(onStop) {
  const balancers = {};
  for (const service of REACHED) {
    const balancer = await Balancer.listen(await reserveRandomPort());
    onStop(() => balancer.close());
    balancers[service] = balancer;
  }
  return balancers;
}

/**
 * Starts the stores and the upstream, then one service at a time, since services find each other only through
 * balancers.
 */
const startStores = ({ folder, node, record, secrets, onUnexpectedExit, graceMs }, balancers, databaseUrl) =>
  startTestStack({
    folder,
    node,
    record,
    secrets,
    onUnexpectedExit,
    databaseUrl,
    services: ['upstream-simulator'],
    commonEnv: { SHUTDOWN_GRACE_MS: String(graceMs) },
    env: {
      'api-edge': { BILLING_URL: balancers.billing.url },
      accounts: { BILLING_URL: balancers.billing.url },
      'mcp-server': { EDGE_URL: balancers['api-edge'].url, ACCOUNT_URL: balancers.accounts.url },
    },
  });

async function startServices({ system }, balancers, note) {
  const instances = [];
  for (const service of [...SERVICES, ...SERVICES]) {
    const instance = await system.add(service);
    note(instance.name);
    instances.push(instance);
    await balancers[service]?.add(instance);
  }
  return instances;
}

/** Starts the system; each part adds its clean-up to `onStop`. */
export async function startSystem(setup) {
  const { folder, onStop } = setup;
  // The Redis of an earlier run has customers that this ledger lacks. Its logs stay until the next run.
  const ownFolder = join(folder, 'system');
  rmSync(ownFolder, { recursive: true, force: true });
  const postgres = await startOwnPostgres(setup);
  const balancers = await openBalancers(onStop);
  const stack = await step('Stores and upstream', () =>
    startStores({ ...setup, folder: ownFolder }, balancers, postgres.url),
  );
  onStop(() => stack.stop());
  const instances = await step('Two of each service', (note) => startServices(stack, balancers, note));
  const webhooks = await WebhookReceiver.listen(await reserveRandomPort());
  onStop(() => webhooks.close());
  const accounts = new AccountClient(balancers.accounts.url, stack.system.adminToken);
  return {
    stack,
    instances,
    balancers,
    webhooks,
    accounts,
    customer: await createCustomer(accounts, { creditUsd: '10000', limits: UNLIMITED }),
    /** A balance so small that requests always need the next block from billing. */
    smallBalance: await createCustomer(accounts, { creditUsd: '0.05', limits: UNLIMITED }),
  };
}
