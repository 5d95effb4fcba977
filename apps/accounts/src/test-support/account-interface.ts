import type { AccountsConfig, BillingConfig } from '@gateway/config';
import { type MemberRole, newMemberId, VENDORS } from '@gateway/contracts';
import type { RunningService } from '@gateway/json-service';
import { createMetrics } from '@gateway/observability';
import type { Database } from '@gateway/postgres';
import { type KeyCache, redisKeys } from '@gateway/redis';
import type { BillingResources } from '../../../billing/src/resources.js';
import { startBilling } from '../../../billing/src/start-billing.js';
import { silent, TestBilling } from '../../../billing/src/test-support/test-billing.js';
import { type AccountsResources, openResources } from '../resources.js';
import { startAccounts } from '../start-accounts.js';

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any response body
  readonly body: any;
}

const internalToken = 'internal-internal-internal-internal';
const adminToken = 'admin-admin-admin-admin-admin-admin';
const ledgerToken = 'ledger-ledger-ledger-ledger-ledger';

type CommonConfig = Omit<BillingConfig, 'databaseUrl' | 'internalTokens' | 'ledgerTokens' | 'escrowIdleMs'>;

async function openBilling(test: TestBilling, common: CommonConfig): Promise<RunningService> {
  const config: BillingConfig = {
    ...common,
    databaseUrl: test.databaseUrl,
    internalTokens: [internalToken],
    ledgerTokens: [ledgerToken],
    escrowIdleMs: 900_000,
  };
  const resources = await test.resources();
  return startBilling({
    config,
    logger: silent,
    metrics: createMetrics('billing'),
    resources,
    isDraining: () => false,
  });
}

/** An accounts process and a billing process that listen. Tests call them over HTTP as people and machines do. */
export class AccountInterface {
  readonly internalToken = internalToken;
  readonly adminToken = adminToken;
  #people = 0;

  private constructor(
    readonly test: TestBilling,
    readonly accounts: RunningService,
    readonly billing: RunningService,
    private readonly own: AccountsResources,
    /** The connections of another process of billing. */
    readonly resources: BillingResources,
  ) {}

  static async open(more: Partial<AccountsConfig> = {}): Promise<AccountInterface> {
    const test = await TestBilling.open();
    const common = {
      nodeEnv: 'test',
      logLevel: 'silent',
      host: '127.0.0.1',
      port: 0,
      shutdownGraceMs: 1_000,
      redisUrl: test.redisUrl,
      queueRedisUrl: test.redisUrl,
    } as const;
    const billing = await openBilling(test, common);
    const own = openResources({
      ...common,
      databaseUrl: test.accountsDatabaseUrl,
      logger: silent,
      keys: redisKeys(test.prefix),
    });
    const config: AccountsConfig = {
      ...common,
      opsPort: undefined,
      databaseUrl: test.accountsDatabaseUrl,
      billingUrl: `http://127.0.0.1:${billing.port}`,
      ledgerToken,
      adminToken,
      trustedProxies: undefined,
      refusalsPerSecond: 20,
      smtpUrl: undefined,
      mailFrom: 'Gateway <gateway@example.com>',
      publicAccountUrl: 'https://account.example.com',
      registrationRequiresConfirmation: false,
      webhookAllowInsecure: false,
      webhookSecretKeys: [],
      vendors: [...VENDORS],
      catalogueAtMs: undefined,
      chargesInputSeconds: false,
      publicApiUrl: 'http://localhost:8080',
      publicMcpUrl: undefined,
      prometheusUrl: undefined,
      storage: {
        limits: { bytes: 10 * 1024 ** 3, objects: 10_000 },
        mediaRetentionDays: 30,
        resultRetentionHours: 24,
      },
      fileSigningSecrets: ['files-files-files-files-files-files'],
      contentKeys: [Buffer.alloc(32, 7)],
      ...more,
    };
    const metrics = createMetrics('accounts');
    const accounts = await startAccounts({ config, logger: silent, metrics, resources: own, isDraining: () => false });
    const opened = new AccountInterface(test, accounts, billing, own, await test.resources());
    for (const service of [opened.address, opened.billingAddress]) {
      await until(async () => (await fetch(`${service}/readyz`)).status === 200);
    }
    return opened;
  }

  async close(): Promise<void> {
    for (const service of [this.accounts, this.billing]) {
      await service.stopBackground(10_000);
      await service.close();
    }
    await this.own.close();
    await this.test.close();
  }

  /** The database as accounts may use it. */
  get database(): Database {
    return this.own.database;
  }

  /** The cache of keys as accounts holds it. */
  get keyCache(): KeyCache {
    return this.own.keyCache;
  }

  get address(): string {
    return `http://127.0.0.1:${this.accounts.port}`;
  }

  get billingAddress(): string {
    return `http://127.0.0.1:${this.billing.port}`;
  }

  /** Routes of our own services are billing's. */
  async call(method: string, path: string, body?: unknown, token?: string): Promise<TestResponse> {
    const service = path.startsWith('/internal/') ? this.billingAddress : this.address;
    const response = await fetch(`${service}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  async register() {
    this.#people += 1;
    const email = `person-${this.#people}@example.com`;
    const { body } = await this.call('POST', '/account/register', { email, password: 'correct horse' });
    return { email, id: body.account.id as string, token: body.token as string };
  }

  /** An organisation with one member of each role; each has a session that has chosen it. */
  async organisation() {
    const owner = await this.register();
    const tokens: Record<MemberRole, string> = { owner: owner.token, developer: '', billing: '', viewer: '' };
    for (const role of ['developer', 'billing', 'viewer'] as const) tokens[role] = await this.join(owner.id, role);
    return { id: owner.id, email: owner.email, tokens };
  }

  /** Makes a new person a member, and returns the token of a session that has chosen the organisation. */
  async join(accountId: string, role: MemberRole): Promise<string> {
    const { email, token } = await this.register();
    const { prisma } = this.database;
    const person = await prisma.person.findUniqueOrThrow({ where: { email } });
    await prisma.member.create({ data: { id: newMemberId(), accountId, personId: person.id, role } });
    await this.call('POST', `/account/organisations/${accountId}/choose`, {}, token);
    return token;
  }
}

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}
