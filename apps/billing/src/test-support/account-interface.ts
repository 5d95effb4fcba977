import type { BillingConfig } from '@gateway/config';
import { VENDORS } from '@gateway/contracts';
import { createMetrics } from '@gateway/observability';
import type { BillingResources } from '../resources.js';
import { type RunningBilling, startBilling } from '../start-billing.js';
import { silent, TestBilling } from './test-billing.js';

export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any response body
  readonly body: any;
}

const internalToken = 'internal-internal-internal-internal';
const adminToken = 'admin-admin-admin-admin-admin-admin';

/** A billing process that listens. Tests call it over HTTP as people and machines do. */
export class AccountInterface {
  readonly internalToken = internalToken;
  readonly adminToken = adminToken;
  #people = 0;

  private constructor(
    readonly test: TestBilling,
    readonly billing: RunningBilling,
    /** The connections of another process. */
    readonly resources: BillingResources,
  ) {}

  static async open(more: Partial<BillingConfig> = {}): Promise<AccountInterface> {
    const test = await TestBilling.open();
    const config: BillingConfig = {
      nodeEnv: 'test',
      logLevel: 'silent',
      host: '127.0.0.1',
      port: 0,
      opsPort: undefined,
      shutdownGraceMs: 1_000,
      redisUrl: test.redisUrl,
      queueRedisUrl: test.redisUrl,
      databaseUrl: test.databaseUrl,
      internalTokens: [internalToken],
      adminToken,
      trustedProxies: undefined,
      webhookAllowInsecure: false,
      webhookSecretKeys: [],
      escrowIdleMs: 900_000,
      vendors: [...VENDORS],
      catalogueAtMs: undefined,
      ...more,
    };
    const metrics = createMetrics('billing');
    const resources = await test.resources();
    const billing = await startBilling({
      config,
      logger: silent,
      metrics,
      resources: resources,
      isDraining: () => false,
    });
    const opened = new AccountInterface(test, billing, await test.resources());
    await until(async () => (await opened.call('GET', '/readyz')).status === 200);
    return opened;
  }

  async close(): Promise<void> {
    await this.billing.stopBackground(10_000);
    await this.billing.close();
    await this.test.close();
  }

  get address(): string {
    return `http://127.0.0.1:${this.billing.port}`;
  }

  async call(method: string, path: string, body?: unknown, token?: string): Promise<TestResponse> {
    const response = await fetch(`${this.address}${path}`, {
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
}

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
}
