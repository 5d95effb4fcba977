import { type Stack, type StackOptions, startStack } from '../../../../infra/local/stack.mjs';
import { AccountClient } from '../account/account-client.js';
import { type Customer, type CustomerOptions, createCustomer } from '../account/customer.js';
import { LedgerInspector } from '../ledger/ledger-inspector.js';
import { RedisInspector } from '../ledger/redis-inspector.js';
import { watchOrigin } from '../openapi/contract-watch.js';
import { SimulatorClient } from '../simulator/simulator-client.js';

/** A complete running system with everything that a scenario needs to use and inspect it. */
export class TestStack {
  readonly simulator: SimulatorClient;
  readonly accounts: AccountClient;
  readonly redisMoney: RedisInspector;

  constructor(
    /** The processes: to kill, suspend and restart them. */
    readonly system: Stack,
    /** Reads the ledger without the system's own code. */
    readonly ledger: LedgerInspector,
  ) {
    this.simulator = new SimulatorClient(system.simulatorUrl);
    this.redisMoney = new RedisInspector(system.redisCluster ?? system.redis);
    this.accounts = new AccountClient(system.accountUrl, system.adminToken);
  }

  /** The gateway's address, without `/v1`. */
  get baseUrl(): string {
    return this.system.baseUrl;
  }

  createCustomer(options?: CustomerOptions): Promise<Customer> {
    return createCustomer(this.accounts, options);
  }

  /** All inconsistencies of a settled system, one sentence each; an empty list is the only correct result. */
  async audit(): Promise<readonly string[]> {
    const found = [...(await this.ledger.findings())];
    for (const { accountId, escrowNanoUsd } of await this.ledger.escrows()) {
      const inRedis = await this.redisMoney.moneyOf(accountId);
      if (inRedis !== escrowNanoUsd) found.push(`${accountId}: ${escrowNanoUsd} in escrow, ${inRedis} in Redis`);
    }
    return found;
  }

  async stop(): Promise<void> {
    await this.ledger.close();
    await this.system.stop();
  }
}

/** Scenarios send more wrong requests, from one address, than any customer. */
const MANY_REFUSALS = { REFUSALS_PER_SECOND: '10000', READS_PER_SECOND: '10000', UNKNOWN_KEYS_PER_SECOND: '10000' };

/** A simulated video takes seconds, so that the first poll of a real one is late for it. */
const QUICK_POLLS = { POLL_FASTEST_MS: '100', POLL_SLOWEST_MS: '500' };

/** Scenarios use the models of this day: a retirement must not change what they test. */
const CATALOGUE_DAY = '2026-05-01';

/** Most scenarios run no batch and no MCP tool, and each service costs its start. */
const SERVICES: NonNullable<StackOptions['services']> = [
  'upstream-simulator',
  'billing',
  'accounts',
  'sync-worker',
  'video-worker',
  'api-edge',
];

/** Starts the services on free ports with their own Redis and database. Needs TEST_DATABASE_URL. Default: without batch-worker and mcp-server. */
export async function startTestStack(options: StackOptions = {}): Promise<TestStack> {
  const env = {
    ...options.env,
    accounts: { ...MANY_REFUSALS, ...options.env?.accounts },
    'api-edge': { ...MANY_REFUSALS, ...options.env?.['api-edge'] },
    'mcp-server': { ...MANY_REFUSALS, ...options.env?.['mcp-server'] },
    'video-worker': { ...QUICK_POLLS, ...options.env?.['video-worker'] },
  };
  const commonEnv = { CATALOGUE_AT: CATALOGUE_DAY, ...options.commonEnv };
  const system = await startStack({ services: SERVICES, ...options, commonEnv, env });
  // A scenario may run without an edge.
  for (const [url, document] of [
    [system.baseUrl, 'public'],
    [system.accountUrl, 'accounts'],
  ] as const) {
    if (url !== undefined) watchOrigin(url, document);
  }
  try {
    return new TestStack(system, await LedgerInspector.open(system.databaseUrl));
  } catch (error) {
    await system.stop();
    throw error;
  }
}
