import { randomBytes } from 'node:crypto';
import type { AccountEventType } from '@gateway/contracts';
import { newAccountId } from '@gateway/contracts';
import { HttpPools } from '@gateway/http';
import { createLogger, createMetrics, NO_TRACING } from '@gateway/observability';
import {
  applyMigrations,
  createWebhookEndpoint,
  type Database,
  listDeliveries,
  openDatabase,
  secretSeal,
  signingSecrets,
} from '@gateway/postgres';
import { emitEvent, eventually } from '@gateway/testing';
import type { WorkerConfig } from '../tokens.js';
import { AttemptDelivery } from '../webhooks/attempt-delivery.service.js';
import { DeliveryWorker } from '../webhooks/delivery-worker.service.js';
import { webhookMetrics } from '../webhooks/webhook-metrics.js';
import { WebhookStore } from '../webhooks/webhook-store.service.js';

type Settings = WorkerConfig['webhooks'];

const SETTINGS: Settings = {
  allowInsecure: true,
  secretKeys: [randomBytes(32)],
  timeoutMs: 5_000,
  concurrency: 16,
  hostConcurrency: 4,
  accountConcurrency: 16,
  retryDelaysMs: [1, 1, 1],
  pollEveryMs: 20,
  disableAfterMs: 60_000,
  disableAfterFailures: 3,
  keepEventsDays: 30,
};

const silent = createLogger({ service: 'video-worker', level: 'silent' });

/** A new database, accounts, and workers that deliver webhooks. */
export class DeliveriesUnderTest {
  readonly #closers: (() => Promise<unknown>)[] = [];

  private constructor(
    readonly database: Database,
    readonly server: Database,
    readonly name: string,
  ) {}

  static async open(): Promise<DeliveriesUnderTest> {
    const serverUrl = process.env.TEST_DATABASE_URL;
    if (serverUrl === undefined) throw new Error('TEST_DATABASE_URL is not set');
    const name = `test_${randomBytes(8).toString('hex')}`;
    const connect = (databaseUrl: string, poolSize: number) =>
      openDatabase({ databaseUrl, poolSize, applicationName: 'gateway-test', onError: () => undefined });
    const server = connect(serverUrl, 1);
    const template = process.env.TEST_DATABASE_TEMPLATE ?? 'template1';
    await server.prisma.$executeRawUnsafe(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    await applyMigrations(url.href);
    return new DeliveriesUnderTest(connect(url.href, 10), server, name);
  }

  async close(): Promise<void> {
    await this.stopWorkers();
    await this.database.close();
    await this.server.prisma.$executeRawUnsafe(`DROP DATABASE ${this.name}`);
    await this.server.close();
  }

  /** Starts a worker with its own metrics and connections, as another process would. */
  worker(more: Partial<Settings> = {}) {
    const webhooks = { ...SETTINGS, ...more };
    const registry = createMetrics('video-worker');
    const metrics = webhookMetrics(registry);
    const pools = new HttpPools({ allowedAddresses: webhooks.allowInsecure ? 'anywhere' : 'public' });
    const store = new WebhookStore(this.database, { webhooks });
    const attempts = new AttemptDelivery(store, pools, { webhooks }, metrics, silent, NO_TRACING);
    const worker = new DeliveryWorker(store, { webhooks }, metrics, silent, attempts);
    worker.start();
    this.#closers.push(
      () => worker.stop(),
      () => pools.destroy(),
    );
    return { worker, metrics: () => registry.registry.metrics() };
  }

  async stopWorkers(): Promise<void> {
    for (const close of this.#closers.splice(0)) await close();
  }

  /** Deletes all events and deliveries, so that none of them is due in the next test. */
  async deleteEvents(): Promise<void> {
    await this.database.prisma.$executeRaw`TRUNCATE account_event CASCADE`;
  }

  async account(): Promise<SubscribedAccount> {
    const id = newAccountId();
    await this.database.prisma.account.create({ data: { id, email: `${id}@example.com` } });
    return new SubscribedAccount(this.database, id);
  }
}

/** An account that subscribes to events. */
export class SubscribedAccount {
  constructor(
    private readonly database: Database,
    readonly id: string,
  ) {}

  async endpoint(url: string, eventTypes: readonly string[] = []): Promise<string> {
    const endpoint = { url, eventTypes, description: '', isTest: false };
    const created = await createWebhookEndpoint(this.database, this.id, endpoint, 20);
    if (created.outcome !== 'created') throw new Error(created.outcome);
    return created.id;
  }

  emit(webhookUrl: string | null = null, type: AccountEventType = 'video.task.succeeded') {
    const data = {
      id: 'task_a',
      status: 'succeeded',
      content: { video_url: 'https://cdn.example/é.mp4' },
      cost: '0.10',
    };
    const event = { accountId: this.id, type, subject: 'task_a', data, webhookUrl, isTest: false };
    return emitEvent(this.database, event);
  }

  deliveries() {
    return listDeliveries(this.database, this.id, { before: null, limit: 200 });
  }

  /** Waits until every delivery has ended, and returns them. */
  ended() {
    return eventually(
      async () => {
        const deliveries = await this.deliveries();
        const pending = deliveries.filter(({ state }) => state === 'pending').length;
        if (deliveries.length === 0 || pending > 0) throw new Error(`${pending} of ${deliveries.length} are pending`);
        return deliveries;
      },
      { intervalMs: 5 },
    );
  }

  secrets(keys: readonly Buffer[] = SETTINGS.secretKeys) {
    return signingSecrets(this.database, this.id, secretSeal(keys));
  }
}
