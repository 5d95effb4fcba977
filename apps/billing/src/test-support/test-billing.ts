import { randomBytes } from 'node:crypto';
import {
  type AccountId,
  type AdmissionRequest,
  type KeyId,
  newAccountId,
  newKeyId,
  newRequestId,
  type UsageSettled,
} from '@gateway/contracts';
import { createLogger } from '@gateway/observability';
import {
  applyMigrations,
  checkLedger,
  type Database,
  openDatabase,
  postCredit,
  readLedgerBalances,
} from '@gateway/postgres';
import { redisKeys } from '@gateway/redis';
import { type BillingResources, openResources } from '../resources.js';

const required = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
};

/** Makes escrow idle that moved a moment ago: PostgreSQL stores milliseconds and may have rounded that moment up. */
export const AT_ONCE_MS = -1_000;

export const silent = createLogger({ service: 'billing', level: 'silent' });

/**
 * A database and Redis keys of its own, for any number of billing processes. They use the production role, which may only
 * append to the ledger.
 */
export class TestBilling {
  readonly #processes: BillingResources[] = [];

  private constructor(
    readonly databaseUrl: string,
    /** The address for `accounts`, which writes no ledger table. */
    readonly accountsDatabaseUrl: string,
    readonly redisUrl: string,
    readonly prefix: string,
    private readonly server: Database,
  ) {}

  static async open(): Promise<TestBilling> {
    const serverUrl = required('TEST_DATABASE_URL');
    const name = `test_${randomBytes(8).toString('hex')}`;
    const onError = () => undefined;
    const server = openDatabase({ databaseUrl: serverUrl, poolSize: 1, applicationName: 'gateway-test', onError });
    const template = process.env.TEST_DATABASE_TEMPLATE ?? 'template1';
    await server.prisma.$executeRawUnsafe(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    const roles = { services: name, accounts: `${name}_accounts` };
    for (const role of Object.values(roles)) {
      await server.prisma.$executeRawUnsafe(`CREATE ROLE ${role} LOGIN PASSWORD '${role}'`);
    }
    await applyMigrations(url.href, roles);
    const asRole = (role: string) => Object.assign(new URL(url), { username: role, password: role }).href;
    const addresses = [asRole(roles.services), asRole(roles.accounts)] as const;
    return new TestBilling(...addresses, required('TEST_REDIS_URL'), name, server);
  }

  /** Opens the connections of one more process. */
  async resources(): Promise<BillingResources> {
    const { databaseUrl, redisUrl } = this;
    const consumerName = `billing-${this.#processes.length + 1}`;
    const addresses = { databaseUrl, redisUrl, queueRedisUrl: redisUrl };
    const resources = openResources({ ...addresses, logger: silent, keys: redisKeys(this.prefix), consumerName });
    this.#processes.push(resources);
    if (resources.redis.status !== 'ready') await new Promise((resolve) => resources.redis.once('ready', resolve));
    return resources;
  }

  /** Removes all keys, as when Redis loses its data. */
  async loseRedis({ redis }: BillingResources): Promise<void> {
    const names = await redis.keys(`${this.prefix}*`);
    if (names.length > 0) await redis.del(names);
  }

  /** Nothing is admitted until billing begins another epoch. */
  async loseEpochs({ redis, keys }: BillingResources): Promise<void> {
    await Promise.all(keys.shards.map(({ epoch }) => redis.del(epoch)));
  }

  async account({ database }: BillingResources, creditNanoUsd: bigint): Promise<AccountId> {
    const accountId = newAccountId();
    await database.prisma.account.create({ data: { id: accountId, email: `${accountId}@example.com` } });
    await postCredit(database, {
      reference: accountId,
      accountId,
      kind: 'top_up',
      amountNanoUsd: creditNanoUsd,
      reason: 'test',
    });
    return accountId;
  }

  /** Changes as the owner of the tables, without triggers, what the services themselves refuse to change. */
  async changeWithoutTriggers(statement: string): Promise<void> {
    const url = new URL(required('TEST_DATABASE_URL'));
    url.pathname = `/${this.prefix}`;
    const onError = () => undefined;
    const owner = openDatabase({ databaseUrl: url.href, poolSize: 1, applicationName: 'gateway-test', onError });
    await owner.prisma.$transaction([
      owner.prisma.$executeRawUnsafe('SET LOCAL session_replication_role = replica'),
      owner.prisma.$executeRawUnsafe(statement),
    ]);
    await owner.close();
  }

  async close(): Promise<void> {
    const [first] = this.#processes;
    if (first !== undefined) await this.loseRedis(first);
    for (const resources of this.#processes) await resources.close();
    await this.server.prisma.$executeRawUnsafe(`DROP DATABASE ${this.prefix} WITH (FORCE)`);
    await this.server.prisma.$executeRawUnsafe(`DROP ROLE ${this.prefix}, ${this.prefix}_accounts`);
    await this.server.close();
  }
}

export const sampleAdmission = (
  accountId: AccountId,
  holdNanoUsd: bigint,
  holdMs = 1_000_000_000_000,
): AdmissionRequest => ({
  requestId: newRequestId(),
  accountId,
  keyId: newKeyId() as KeyId,
  accountLimits: { requestsPerMinute: 0, concurrency: 0 },
  keyLimits: { requestsPerMinute: 0, concurrency: 0 },
  holdNanoUsd,
  holdMs,
  about: { endpoint: 'chat.completions', model: 'gm-2', priceVersion: 'gm-2@2026-01-01', admittedAtMs: 1_000 },
});

export const settlementForAdmission = (
  { requestId, accountId, keyId, about }: AdmissionRequest,
  costNanoUsd: bigint,
): UsageSettled => ({
  schemaVersion: 1,
  requestId,
  accountId,
  keyId,
  endpoint: about.endpoint,
  model: about.model,
  outcome: 'completed',
  holdNanoUsd: '0',
  costNanoUsd: costNanoUsd.toString(),
  priceVersion: about.priceVersion,
  unitPrices: { output_token: '10' },
  units: { output_token: 3 },
  isEstimated: false,
  attempts: [],
  admittedAtMs: about.admittedAtMs,
  settledAtMs: 2_000,
});

/** The account's balances. Throws if the whole ledger is not balanced. */
export async function checkedPosition(database: Database, accountId: string) {
  const check = await checkLedger(database);
  const isBalanced = check.imbalanceNanoUsd === 0n && check.unbalancedTransactions === 0n && check.wrongBalances === 0n;
  if (!isBalanced) throw new Error('the ledger is not balanced');
  const position = await readLedgerBalances(database, accountId);
  if (position === null) throw new Error(`no account ${accountId}`);
  return position;
}
