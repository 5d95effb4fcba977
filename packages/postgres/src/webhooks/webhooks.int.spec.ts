import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventsAfter } from '../events/events-after.js';
import { endOf, present, TaskFixture } from '../test-support/task-fixture.js';
import { TestDatabase } from '../test-support/test-database.js';
import { untilDue } from '../test-support/until-due.js';
import { WebhookFixture } from '../test-support/webhook-fixture.js';
import {
  cancelOrphanedDeliveries,
  createWebhookEndpoint,
  enableWebhookEndpoint,
  endWebhookEndpoint,
  findWebhookEndpoint,
  sendTestEvent,
} from './endpoints.js';
import { replayDelivery } from './replay-deliveries.js';
import { resealSecrets } from './reseal-secrets.js';
import { secretSeal } from './secret-seal.js';
import { createFirstSecret, listWebhookSecrets, rotateSecret, signingSecrets } from './secrets.js';
import { webhookBacklog } from './webhook-backlog.js';

let test: TestDatabase;
let hooks: WebhookFixture;

beforeAll(async () => {
  test = await TestDatabase.open();
});

beforeEach(async () => {
  hooks = await WebhookFixture.open(test);
});

afterAll(() => test.close());

const urlsOf = (rows: readonly { readonly url: string }[]) => rows.map(({ url }) => url).sort();
const leaseIsOver = () => hooks.sql(`UPDATE webhook_delivery SET next_attempt_at = now() WHERE state = 'pending'`);

describe('an event', () => {
  it('goes to the endpoints that subscribe to it, and to the URL of its task', async () => {
    await hooks.endpoint('https://default.example/');
    await hooks.endpoint('https://all.example/', { eventTypes: ['*'] });
    await hooks.endpoint('https://failed.example/', { eventTypes: ['video.task.failed'] });
    await hooks.endpoint('https://test.example/', { eventTypes: ['*'], isTest: true });
    await endWebhookEndpoint(test.database, hooks.accountId, await hooks.endpoint('https://off.example/'), 'disabled');
    await endWebhookEndpoint(test.database, hooks.accountId, await hooks.endpoint('https://gone.example/'), 'deleted');
    const one = 'https://one.example/';

    await hooks.emit('video.task.running', one);
    expect(urlsOf(await hooks.claim())).toEqual(['https://all.example/']);
    await hooks.emit('video.task.succeeded', one);
    expect(urlsOf(await hooks.claim())).toEqual(['https://all.example/', 'https://default.example/', one]);
    await hooks.emit('video.task.failed', 'https://failed.example/');
    expect(urlsOf(await hooks.claim())).toEqual([
      'https://all.example/',
      'https://default.example/',
      'https://failed.example/',
    ]);
    await hooks.emit('video.task.succeeded', null, true);
    expect(urlsOf(await hooks.claim())).toEqual(['https://test.example/']);
  });

  it('has one id in all deliveries', async () => {
    await hooks.endpoint('https://a.example/');
    await hooks.emit('video.task.succeeded', 'https://b.example/');
    const [event] = (await eventsAfter(test.database, hooks.accountId, { after: null, limit: 2 })) ?? [];
    const claimed = await hooks.claim();
    expect(claimed.map((delivery) => delivery.event)).toEqual(
      Array(2).fill({ id: event?.id, type: event?.type, createdAt: event?.createdAt, data: event?.data }),
    );
    expect(claimed[0]?.ageMs).toBeGreaterThanOrEqual(0);
  });

  it('of a test goes to one endpoint only, whatever its filter', async () => {
    const id = await hooks.endpoint('https://a.example/', { eventTypes: ['video.task.failed'] });
    await hooks.endpoint('https://b.example/');
    const sent = await sendTestEvent(test.database, hooks.accountId, id);
    expect(await hooks.claimOne()).toMatchObject({ id: sent?.deliveryId, event: { id: sent?.eventId } });
    expect(await sendTestEvent(test.database, 'acct_other', id)).toBeNull();
  });
});

describe('an endpoint', () => {
  it('is refused above the limit, and with the URL of another endpoint', async () => {
    const create = (url: string, limit: number) =>
      createWebhookEndpoint(
        test.database,
        hooks.accountId,
        { url, eventTypes: [], description: '', isTest: false },
        limit,
      );
    expect(await create('https://a.example/', 2)).toMatchObject({ outcome: 'created' });
    expect(await create('https://a.example/', 2)).toMatchObject({ outcome: 'exists' });
    const answers = await Promise.all([1, 2, 3, 4].map((n) => create(`https://${n}.example/`, 2)));
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['created', 'too_many', 'too_many', 'too_many']);
  });

  it('that is deleted or disabled gets no pending delivery, nor one that is created at that moment', async () => {
    const id = await hooks.endpoint('https://a.example/');
    await hooks.emit();
    expect(await endWebhookEndpoint(test.database, 'acct_other', id, 'disabled')).toBe(false);
    expect(await endWebhookEndpoint(test.database, hooks.accountId, id, 'disabled')).toBe(true);
    await enableWebhookEndpoint(test.database, hooks.accountId, id);
    await hooks.emit();
    await hooks.sql('UPDATE webhook_endpoint SET deleted_at = now()');
    expect(await hooks.claim()).toEqual([]);
    expect((await hooks.deliveries()).map(({ state, lastError }) => [state, lastError])).toEqual([
      ['cancelled', 'endpoint_deleted'],
      ['cancelled', 'endpoint_disabled'],
    ]);
  });

  describe('that ends with thousands of pending deliveries', () => {
    const MANY = 2_500;
    let id: string;

    beforeEach(async () => {
      id = await hooks.endpoint('https://busy.example/');
      await hooks.sql(`WITH event AS (
          INSERT INTO account_event (public_id, account_id, type, subject, data, is_test)
            SELECT 'evt_' || n, '${hooks.accountId}', 'video.task.failed', 'task_' || n, '{}', false
            FROM generate_series(1, ${MANY}) AS n RETURNING id
        )
        INSERT INTO webhook_delivery (id, event_id, account_id, endpoint_id, url, host, next_attempt_at)
          SELECT 'whd_' || id, id, '${hooks.accountId}', '${id}', 'https://busy.example/', 'busy.example', now() FROM event`);
    });

    const waiting = () => test.database.prisma.webhookDelivery.count({ where: { state: 'pending' } });

    it.each(['disabled', 'deleted'] as const)(
      'gets nothing once it is %s, and no more wait before long',
      async (how) => {
        expect(await endWebhookEndpoint(test.database, hooks.accountId, id, how)).toBe(true);
        expect(await waiting()).toBe(MANY - 1_000);
        expect(await hooks.claim()).toEqual([]);
        const sweep = async () => {
          while (await cancelOrphanedDeliveries(test.database));
        };
        await Promise.all([sweep(), sweep()]);
        expect(await waiting()).toBe(0);
        const reasons = await test.database.prisma.webhookDelivery.groupBy({ by: ['lastError'] });
        expect(reasons).toEqual([{ lastError: `endpoint_${how}` }]);
        expect(await cancelOrphanedDeliveries(test.database)).toBe(false);
      },
    );

    it('is disabled by a report, which leaves the other deliveries to cancelOrphanedDeliveries', async () => {
      const [claimed] = await hooks.claim({ limit: 1 });
      if (claimed === undefined) throw new Error('nothing was due');
      expect(await hooks.report(claimed, { outcome: 'gone' }, 410)).toBe('gone');
      expect(await waiting()).toBe(MANY - 1_001);
      expect(await cancelOrphanedDeliveries(test.database)).toBe(true);
    });

    it('gets none of them when it is enabled again, but all later events', async () => {
      await endWebhookEndpoint(test.database, hooks.accountId, id, 'disabled');
      await enableWebhookEndpoint(test.database, hooks.accountId, id);
      expect(await waiting()).toBe(0);
      await hooks.emit();
      expect(await cancelOrphanedDeliveries(test.database)).toBe(false);
      expect(await hooks.claimOne()).toMatchObject({ url: 'https://busy.example/' });
    });
  });

  it('that returns 410 is disabled at once, and the others get an event', async () => {
    const id = await hooks.endpoint('https://gone.example/');
    await hooks.endpoint('https://other.example/', { eventTypes: ['webhook.endpoint.disabled'] });
    await hooks.emit();
    await hooks.emit();
    const [first] = await hooks.claim({ limit: 1 });
    expect(await hooks.report(first as never, { outcome: 'gone' }, 410)).toBe('gone');
    expect(await findWebhookEndpoint(test.database, hooks.accountId, id)).toMatchObject({ disabledReason: 'gone' });
    expect(await hooks.claimOne()).toMatchObject({
      url: 'https://other.example/',
      event: { type: 'webhook.endpoint.disabled', data: { id, url: 'https://gone.example/', reason: 'gone' } },
    });
    expect((await hooks.deliveries()).map(({ state }) => state)).toEqual(['pending', 'cancelled', 'failed']);
  });

  it('is disabled after days of failures, not after an hour, and not after a success', async () => {
    const id = await hooks.endpoint('https://a.example/');
    const fail = async () => {
      await hooks.emit();
      return hooks.report(await hooks.claimOne(), { outcome: 'failed' });
    };
    for (let failures = 0; failures < 4; failures += 1) expect(await fail()).toBeNull();
    await hooks.emit();
    await hooks.report(await hooks.claimOne(), { outcome: 'delivered' }, 204);
    expect(await findWebhookEndpoint(test.database, hooks.accountId, id)).toMatchObject({
      consecutiveFailures: 0,
      failingSince: null,
      lastSuccessAt: expect.any(Date),
    });
    await fail();
    await hooks.sql(`UPDATE webhook_endpoint SET failing_since = now() - interval '5 days 1 second'`);
    expect(await fail()).toBeNull();
    expect(await fail()).toBe('only_failures');
    await hooks.emit();
    expect(await hooks.claim()).toEqual([]);
    await enableWebhookEndpoint(test.database, hooks.accountId, id);
    expect(await fail()).toBeNull();
  });
});

describe('a delivery', () => {
  it('names its task and the span of the submission', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const tasks = await TaskFixture.open(test);
    const task = await tasks.queued({ webhookUrl: 'https://one.example/', traceparent });
    present(await tasks.store.finish(task, endOf('failed'), {}));
    expect((await hooks.claimOne()).task).toEqual({ requestId: task.requestId, traceparent });
    await hooks.emit('video.task.failed', 'https://two.example/');
    expect((await hooks.claimOne()).task).toBeNull();
  });

  it('is leased to one of several concurrent workers', async () => {
    for (let count = 0; count < 30; count += 1) await hooks.emit('video.task.failed', `https://${count}.example/`);
    const claims = await Promise.all(Array.from({ length: 8 }, () => hooks.claim({ limit: 7 })));
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(30);
  });

  it('respects the limits of its host and its account', async () => {
    for (let count = 0; count < 20; count += 1) await hooks.emit('video.task.failed', 'https://slow.example/hook');
    const other = new WebhookFixture(test, await test.account());
    for (const host of ['b', 'c', 'd']) await hooks.emit('video.task.failed', `https://${host}.example/`);
    await other.emit('video.task.failed', 'https://slow.example/hook');
    const limits = { hostLimit: 2, accountLimit: 4 };
    const claims = await Promise.all([1, 2, 3].map(() => hooks.claim({ ...limits, limit: 50 })));
    const lent = claims.flat();
    expect(lent.filter(({ accountId }) => accountId === other.accountId)).toHaveLength(1);
    const own = lent.filter(({ accountId }) => accountId === hooks.accountId);
    expect(own.filter(({ url }) => url === 'https://slow.example/hook')).toHaveLength(2);
    expect(own).toHaveLength(4);
    await hooks.report(own[0] as never, { outcome: 'delivered' }, 200);
    expect(await hooks.claim({ ...limits, limit: 50 })).toHaveLength(1);
  });

  it('whose worker died is leased again with the same event id, and the attempt is logged', async () => {
    await hooks.emit('video.task.failed', 'https://a.example/');
    const lost = await hooks.claimOne();
    expect(await hooks.claim()).toEqual([]);
    await leaseIsOver();
    const again = await hooks.claimOne();
    expect(again).toMatchObject({ id: lost.id, event: lost.event, attempt: 2 });
    await hooks.report(lost, { outcome: 'failed' });
    await hooks.report(again, { outcome: 'retry', retryInMs: 60_000 });
    const [delivery] = await hooks.deliveries();
    expect(delivery).toMatchObject({ state: 'pending', attempts: 2, lastStatus: 500, lastError: 'status' });
    expect(delivery?.attemptLog).toMatchObject([
      { number: 2, status: 500, responseBody: 'a�b', durationMs: 5 },
      { number: 1, error: 'status' },
    ]);
  });

  it('without a report is logged as interrupted', async () => {
    await hooks.emit('video.task.failed', 'https://a.example/');
    await hooks.claimOne();
    await leaseIsOver();
    await hooks.report(await hooks.claimOne(), { outcome: 'delivered' }, 200);
    const [delivery] = await hooks.deliveries();
    expect(delivery?.attemptLog).toMatchObject([{ number: 2 }, { number: 1, error: 'interrupted', status: null }]);
  });

  it('that succeeded after its lease ended counts as delivered', async () => {
    await hooks.emit('video.task.failed', 'https://a.example/');
    const slow = await hooks.claimOne();
    await leaseIsOver();
    const second = await hooks.claimOne();
    await hooks.report(slow, { outcome: 'delivered' }, 200);
    await hooks.report(second, { outcome: 'retry', retryInMs: 0 });
    expect(await hooks.deliveries()).toMatchObject([{ state: 'delivered', lastStatus: 200 }]);
    expect(await hooks.claim()).toEqual([]);
  });

  it('is due again at its retry, and counts the steps of its schedule', async () => {
    await hooks.emit('video.task.failed', 'https://a.example/');
    await hooks.report(await hooks.claimOne(), { outcome: 'retry', retryInMs: 3_600_000 });
    expect(await hooks.claim()).toEqual([]);
    expect(await webhookBacklog(test.database)).toMatchObject({ pending: 1, unattempted: 0, oldestUnattemptedMs: 0 });
    await leaseIsOver();
    expect(await hooks.claimOne()).toMatchObject({ attempt: 2, step: 2 });
  });

  it('that has ended is replayed by its account, with the same event id', async () => {
    const endpointId = await hooks.endpoint('https://a.example/');
    await hooks.emit();
    const first = await hooks.claimOne();
    const replay = (accountId = hooks.accountId) => replayDelivery(test.database, accountId, first.id);
    expect(await replay()).toBe('pending');
    await hooks.report(first, { outcome: 'delivered' }, 200);
    expect(await replay('acct_other')).toBe('unknown');
    expect(await replay()).toBe('replayed');
    expect(await hooks.claimOne()).toMatchObject({ id: first.id, attempt: 2, step: 1, event: first.event });
    await endWebhookEndpoint(test.database, hooks.accountId, endpointId, 'disabled');
    expect(await replay()).toBe('endpoint_disabled');
    await endWebhookEndpoint(test.database, hooks.accountId, endpointId, 'deleted');
    expect(await replay()).toBe('endpoint_deleted');
  });
});

describe('a secret', () => {
  const key = Buffer.alloc(32, 1);

  it('is created once by concurrent calls', async () => {
    const seal = secretSeal([key]);
    const signed = await Promise.all([1, 2, 3, 4].map(() => signingSecrets(test.database, hooks.accountId, seal)));
    expect(new Set(signed.flat()).size).toBe(1);
    expect(signed[0]?.[0]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await createFirstSecret(test.database, hooks.accountId, seal)).toBeNull();
    const [stored] = await test.database.prisma.webhookSecret.findMany();
    expect(stored?.sealed).toMatch(/^gcm\./);
    expect(stored?.sealed).not.toContain(signed[0]?.[0]?.slice(6));
  });

  it('is sealed again with a new key by concurrent and repeated calls, and stays the same', async () => {
    const [before, after] = [secretSeal([key]), secretSeal([Buffer.alloc(32, 2), key])];
    const { secret: first } = await rotateSecret(test.database, hooks.accountId, 60_000, secretSeal([]));
    const { secret: second } = await rotateSecret(test.database, hooks.accountId, 60_000, before);
    const done = await Promise.all([1, 2, 3].map(() => resealSecrets(test.database, after)));
    expect(done.reduce((sum, { resealed }) => sum + resealed, 0)).toBe(2);
    expect(await resealSecrets(test.database, after)).toEqual({ resealed: 0, broken: 0 });
    const alone = secretSeal([Buffer.alloc(32, 2)]);
    expect(await signingSecrets(test.database, hooks.accountId, alone)).toEqual([second, first]);
  });

  it('stays as it is if its key is missing, or if there is no key to seal with', async () => {
    await rotateSecret(test.database, hooks.accountId, 0, secretSeal([key]));
    const [stored] = await test.database.prisma.webhookSecret.findMany();
    expect(await resealSecrets(test.database, secretSeal([Buffer.alloc(32, 2)]))).toEqual({ resealed: 0, broken: 1 });
    expect(await resealSecrets(test.database, secretSeal([]))).toEqual({ resealed: 0, broken: 0 });
    expect(await test.database.prisma.webhookSecret.findMany()).toEqual([stored]);
  });

  it('stays valid beside its successor, until a third one ends it', async () => {
    const seal = secretSeal([]);
    const rotate = (graceMs: number) => rotateSecret(test.database, hooks.accountId, graceMs, seal);
    const live = async () => {
      await untilDue();
      return signingSecrets(test.database, hooks.accountId, seal);
    };
    const first = await rotate(60_000);
    expect(first.previousExpiresAt).toBeNull();
    const second = await rotate(60_000);
    expect(second.previousExpiresAt?.getTime()).toBeGreaterThan(Date.now());
    expect(await live()).toEqual([second.secret, first.secret]);
    const third = await rotate(60_000);
    expect(await live()).toEqual([third.secret, second.secret]);
    const fourth = await rotate(0);
    expect(await live()).toEqual([fourth.secret]);
    expect(await listWebhookSecrets(test.database, hooks.accountId, new Date())).toHaveLength(1);
  });
});
