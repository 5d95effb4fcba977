import type { AccountEventType } from '@gateway/contracts';
import { type ClaimedDelivery, type ClaimLimits, claimDeliveries } from '../webhooks/claim-deliveries.js';
import { createWebhookEndpoint, type NewWebhookEndpoint } from '../webhooks/endpoints.js';
import { listDeliveries } from '../webhooks/list-deliveries.js';
import { type AttemptOutcome, reportAttempt } from '../webhooks/report-attempt.js';
import type { TestDatabase } from './test-database.js';

const LIMITS: ClaimLimits = { limit: 100, leaseMs: 60_000, hostLimit: 100, accountLimit: 100 };
const FIVE_DAYS_MS = 5 * 24 * 60 * 60 * 1_000;

/** An account with endpoints, events and deliveries in a test database. */
export class WebhookFixture {
  constructor(
    readonly test: TestDatabase,
    readonly accountId: string,
  ) {}

  static async open(test: TestDatabase): Promise<WebhookFixture> {
    await test.database.prisma.$executeRaw`TRUNCATE account_event, webhook_endpoint, webhook_secret CASCADE`;
    return new WebhookFixture(test, await test.account());
  }

  async endpoint(url: string, more: Partial<NewWebhookEndpoint> = {}): Promise<string> {
    const endpoint = { url, eventTypes: [], description: '', isTest: false, ...more };
    const created = await createWebhookEndpoint(this.test.database, this.accountId, endpoint, 20);
    if (created.outcome !== 'created') throw new Error(created.outcome);
    return created.id;
  }

  /** Emits an event without a change in the database. Statements with a change call the same SQL function. */
  async emit(type: AccountEventType = 'video.task.succeeded', webhookUrl: string | null = null, isTest = false) {
    await this.test.database.prisma.$queryRaw`
      SELECT emit_event(${this.accountId}, ${type}, 'task_a', '{"id": "task_a"}', ${webhookUrl}::text, ${isTest})`;
  }

  claim(limits: Partial<ClaimLimits> = {}) {
    return claimDeliveries(this.test.database, { ...LIMITS, ...limits });
  }

  async claimOne(): Promise<ClaimedDelivery> {
    const [claimed, ...more] = await this.claim();
    if (claimed === undefined || more.length > 0) throw new Error('not exactly one delivery was due');
    return claimed;
  }

  report(claimed: Pick<ClaimedDelivery, 'id' | 'lease' | 'attempt'>, outcome: AttemptOutcome, status = 500) {
    const facts = {
      durationMs: 5,
      status,
      error: outcome.outcome === 'delivered' ? null : 'status',
      responseBody: 'a\0b',
    };
    return reportAttempt(
      this.test.database,
      claimed,
      { ...outcome, ...facts },
      { afterMs: FIVE_DAYS_MS, afterFailures: 3 },
    );
  }

  deliveries() {
    return listDeliveries(this.test.database, this.accountId, { before: null, limit: 100 });
  }

  async sql(statement: string): Promise<void> {
    await this.test.database.prisma.$executeRawUnsafe(statement);
  }
}
