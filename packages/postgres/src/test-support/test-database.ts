import { randomBytes } from 'node:crypto';
import { newAccountId, newKeyId, newMemberId, newPersonId, newRequestId, type UsageSettled } from '@gateway/contracts';
import { type Database, openDatabase } from '../database.js';
import { createKey } from '../keys/create-key.js';
import { postCredit } from '../ledger/post-credit.js';
import { applyMigrations } from '../migrate/apply-migrations.js';
import type { ServiceRoles } from '../migrate/grant-service-roles.js';

/** Counts escrow that moved just now as idle: PostgreSQL rounds to milliseconds, and may have rounded up. */
export const AT_ONCE_MS = -1_000;

const open = (databaseUrl: string, poolSize: number) =>
  openDatabase({
    databaseUrl,
    poolSize,
    applicationName: 'gateway-test',
    onError: (error) => {
      throw error;
    },
  });

/** A migrated database of one test, on the server of TEST_DATABASE_URL. */
export class TestDatabase {
  private constructor(
    readonly database: Database,
    readonly url: string,
    private readonly server: Database,
    /** Name of the database, and of the role of the services if there is one. */
    readonly name: string,
  ) {}

  static async open(poolSize = 10): Promise<TestDatabase> {
    const template = process.env.TEST_DATABASE_TEMPLATE;
    const test = await TestDatabase.openEmpty(poolSize, template);
    if (template === undefined) await applyMigrations(test.url);
    return test;
  }

  /** A copy of the database `template`; by default one without any table. */
  static async openEmpty(poolSize = 10, template = 'template1'): Promise<TestDatabase> {
    const serverUrl = process.env.TEST_DATABASE_URL;
    if (serverUrl === undefined) throw new Error('TEST_DATABASE_URL is not set');
    const name = `test_${randomBytes(8).toString('hex')}`;
    const server = open(serverUrl, 1);
    await server.prisma.$executeRawUnsafe(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    return new TestDatabase(open(url.href, poolSize), url.href, server, name);
  }

  /** A migrated database with a connection of production: a role that owns nothing. */
  static async openFor(kind: keyof ServiceRoles): Promise<TestDatabase> {
    const owner = await TestDatabase.open(1);
    const { database, url, server, name } = owner;
    await database.close();
    await owner.createRole();
    await applyMigrations(url, { [kind]: name });
    const asServices = new URL(url);
    asServices.username = name;
    asServices.password = name;
    return new TestDatabase(open(asServices.href, 10), url, server, name);
  }

  /** Creates the role of the services, without any rights yet. */
  async createRole(): Promise<void> {
    await this.server.prisma.$executeRawUnsafe(`CREATE ROLE ${this.name} LOGIN PASSWORD '${this.name}'`);
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.server.prisma.$executeRawUnsafe(`DROP DATABASE ${this.name}`);
    await this.server.prisma.$executeRawUnsafe(`DROP ROLE IF EXISTS ${this.name}`);
    await this.server.close();
  }

  /** Creates an account with this credit. */
  async account(creditNanoUsd = 0n): Promise<string> {
    const id = newAccountId();
    await this.database.prisma.account.create({ data: { id, email: `${id}@example.com` } });
    if (creditNanoUsd > 0n) {
      const credit = {
        reference: id,
        accountId: id,
        kind: 'top_up',
        amountNanoUsd: creditNanoUsd,
        reason: 'test',
      } as const;
      await postCredit(this.database, credit);
    }
    return id;
  }

  /** Creates a person who is a developer in this account, and returns the id of the member. */
  async member(accountId: string): Promise<string> {
    const [id, personId] = [newMemberId(), newPersonId()];
    const person = { create: { id: personId, email: `${personId}@example.com` } };
    await this.database.prisma.member.create({
      data: { id, role: 'developer', account: { connect: { id: accountId } }, person },
    });
    return id;
  }

  async key(
    accountId: string,
    spendCapNanoUsd: bigint | null = null,
    limits: { readonly models?: string[]; readonly endpoints?: string[] } = {},
  ) {
    const id = newKeyId();
    const settings = {
      name: 'a key',
      models: [],
      endpoints: [],
      allowedIps: [],
      scopes: [],
      keepContents: false,
      expiresAt: null,
      caps: [],
      spendCapNanoUsd,
      ...limits,
    };
    return createKey(
      this.database,
      { id, accountId, sha256: `sha-${id}`, prefix: 'sk-a…b', isTest: false },
      { ...settings, requestsPerMinute: null, concurrency: null },
    );
  }
}

export const sampleEvent = (
  accountId: string,
  costNanoUsd: bigint,
  more: Partial<UsageSettled> = {},
): UsageSettled => ({
  schemaVersion: 1,
  requestId: newRequestId(),
  accountId,
  keyId: 'key_none',
  endpoint: 'chat.completions',
  model: 'gm-2.5-pro',
  outcome: 'completed',
  holdNanoUsd: '1000',
  costNanoUsd: costNanoUsd.toString(),
  priceVersion: 'gm-2.5-pro@2026-01-01',
  unitPrices: { output_token: '10' },
  units: { output_token: 3 },
  isEstimated: false,
  attempts: [{ channel: 'a', status: 200, startedAtMs: 1_000, endedAtMs: 2_000 }],
  admittedAtMs: 1_000,
  settledAtMs: 2_000,
  ...more,
});
