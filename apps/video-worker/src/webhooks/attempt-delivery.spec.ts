import { HttpFailure, type HttpPools, type HttpResponse } from '@gateway/http';
import { createMetrics, NO_TRACING } from '@gateway/observability';
import { type ClaimedDelivery, type DisabledReason, secretSeal } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import { countOf, fake, RUNNING, silentLogger } from '../test-support/fakes.js';
import type { WorkerConfig } from '../tokens.js';
import { AttemptDelivery } from './attempt-delivery.service.js';
import { webhookMetrics } from './webhook-metrics.js';
import type { ReportedAttempt, WebhookStore } from './webhook-store.service.js';

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX';

const delivery = (changes: Partial<ClaimedDelivery> = {}): ClaimedDelivery => ({
  id: 'del_1',
  lease: 'lease_1',
  attempt: 1,
  step: 1,
  accountId: 'acc_1',
  url: 'http://127.0.0.1:9/hook',
  event: { id: 'evt_1', type: 'video.task.succeeded', createdAt: new Date(0), data: {} },
  ageMs: 2_000,
  task: null,
  ...changes,
});

const responding =
  (status: number, headers: Record<string, string> = {}) =>
  async (): Promise<HttpResponse> =>
    fake<HttpResponse>({
      status,
      headers,
      body: (async function* () {
        yield Buffer.from('thanks');
      })(),
    });

interface World {
  readonly send?: () => Promise<HttpResponse>;
  readonly secrets?: () => Promise<readonly string[]>;
  readonly disabled?: DisabledReason;
  readonly allowInsecure?: boolean;
  /** How many reports fail before one is stored. */
  readonly failedReports?: number;
}

function attempting({ send = responding(204), secrets, disabled, allowInsecure = true, failedReports = 0 }: World) {
  const reports: ReportedAttempt[] = [];
  let failures = failedReports;
  let sent = 0;
  const metrics = webhookMetrics(createMetrics('video-worker'));
  const store = fake<WebhookStore>({
    signingSecrets: secrets ?? (async () => [SECRET]),
    report: async (_delivery, report) => {
      if (failures > 0) {
        failures -= 1;
        throw new Error('Postgres is away');
      }
      reports.push(report);
      return disabled ?? null;
    },
  });
  const pools = fake<HttpPools>({
    send: () => {
      sent += 1;
      return send();
    },
  });
  const webhooks = { timeoutMs: 5_000, allowInsecure, retryDelaysMs: [1_000, 2_000] } as WorkerConfig['webhooks'];
  const attempts = new AttemptDelivery(store, pools, { webhooks }, metrics, silentLogger(), NO_TRACING);
  return { attempt: attempts.attempt.bind(attempts), reports, metrics, sentCount: () => sent };
}

const failing = (thrown: unknown) => async (): Promise<never> => {
  throw thrown;
};
const RESET = new HttpFailure('ambiguous', { wasSent: true, isTimeout: false, code: 'ECONNRESET' });

describe('AttemptDelivery', () => {
  it.each([200, 204, 299])('reports %i as delivered, with the beginning of the response', async (status) => {
    const { attempt, reports, metrics } = attempting({ send: responding(status) });
    await attempt(delivery(), RUNNING);
    expect(reports).toMatchObject([{ outcome: 'delivered', status, error: null, responseBody: 'thanks' }]);
    expect(await countOf(metrics.attempts)).toBe(1);
  });

  it.each([301, 400, 429, 500])('retries after status %i', async (status) => {
    const { attempt, reports } = attempting({ send: responding(status) });
    await attempt(delivery(), RUNNING);
    expect(reports).toMatchObject([{ outcome: 'retry', status }]);
    const [report] = reports;
    const waitMs = report?.outcome === 'retry' ? report.retryInMs : Number.NaN;
    expect(waitMs).toBeGreaterThanOrEqual(1_000);
    expect(waitMs).toBeLessThanOrEqual(1_200);
  });

  it('retries after the wait that the receiver states', async () => {
    const { attempt, reports } = attempting({ send: responding(503, { 'retry-after': '60' }) });
    await attempt(delivery(), RUNNING);
    expect(reports).toMatchObject([{ outcome: 'retry', retryInMs: 60_000 }]);
  });

  it('retries a connection that broke, and a secret that cannot be read', async () => {
    const broken = attempting({ send: failing(RESET) });
    await broken.attempt(delivery(), RUNNING);
    expect(broken.reports).toMatchObject([{ outcome: 'retry', status: null, error: 'connection_broken' }]);
    const unsigned = attempting({ secrets: async () => [secretSeal([Buffer.alloc(32)]).open('gcm.', 'acc_1')] });
    await unsigned.attempt(delivery(), RUNNING);
    expect(unsigned.reports).toMatchObject([{ outcome: 'retry', error: 'not_signed' }]);
    expect(unsigned.sentCount()).toBe(0);
  });

  it('gives up after the last attempt of the schedule', async () => {
    const { attempt, reports } = attempting({ send: responding(500) });
    await attempt(delivery({ step: 2 }), RUNNING);
    await attempt(delivery({ step: 3 }), RUNNING);
    expect(reports.map(({ outcome }) => outcome)).toEqual(['retry', 'failed']);
  });

  it('gives up at once on 410, and on an address that must not be called', async () => {
    const gone = attempting({ send: responding(410), disabled: 'gone' });
    await gone.attempt(delivery(), RUNNING);
    expect(gone.reports).toMatchObject([{ outcome: 'gone', status: 410 }]);
    expect(await countOf(gone.metrics.disabled)).toBe(1);
    const unusable = attempting({ allowInsecure: false });
    await unusable.attempt(delivery(), RUNNING);
    expect(unusable.reports).toMatchObject([{ outcome: 'failed', error: 'address_unusable' }]);
    expect(unusable.sentCount()).toBe(0);
  });

  it('reports again if the database is unavailable, and sends once', async () => {
    const { attempt, reports, sentCount } = attempting({ failedReports: 1 });
    await attempt(delivery(), RUNNING);
    expect([reports.length, sentCount()]).toEqual([1, 1]);
  });

  it.each([
    ['the secrets cannot be queried', { secrets: failing(new Error('away')) }],
    ['of a bug', { send: failing(new TypeError('oops')) }],
  ])('rejects without a report if %s: the lease expires', async (_case, world) => {
    const { attempt, reports } = attempting(world);
    await expect(attempt(delivery(), RUNNING)).rejects.toThrow();
    expect(reports).toEqual([]);
  });

  it('rejects without a report if the worker shuts down during the attempt', async () => {
    const { attempt, reports } = attempting({ send: failing(RESET) });
    await expect(attempt(delivery(), AbortSignal.abort())).rejects.toThrow();
    expect(reports).toEqual([]);
  });

  it('observes the lag of first attempts only', async () => {
    const { attempt, metrics } = attempting({});
    await attempt(delivery(), RUNNING);
    await attempt(delivery({ attempt: 2 }), RUNNING);
    const { values } = await metrics.lag.get();
    const sumOf = (suffix: string) => values.find(({ metricName }) => metricName?.endsWith(suffix))?.value;
    expect([sumOf('_count'), sumOf('_sum')]).toEqual([1, 2]);
  });
});
