import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestDatabase } from '../test-support/test-database.js';
import { WebhookFixture } from '../test-support/webhook-fixture.js';
import { enableWebhookEndpoint, endWebhookEndpoint, sendTestEvent } from './endpoints.js';
import { type DeliveryFilter, REPLAYABLE, type Replayable, replayDeliveries } from './replay-deliveries.js';
import { webhookBacklog } from './webhook-backlog.js';

const UNDELIVERED = REPLAYABLE.filter((state) => state !== 'delivered');
const HOUR_MS = 3_600_000;
/** A rate at which all deliveries are due at once. */
const AT_ONCE = 1_000_000;

let test: TestDatabase;
let hooks: WebhookFixture;

beforeAll(async () => {
  test = await TestDatabase.open();
});

beforeEach(async () => {
  hooks = await WebhookFixture.open(test);
});

afterAll(() => test.close());

const replay = (filter: Partial<DeliveryFilter> = {}, rate: { perSecond?: number; limit?: number } = {}) =>
  replayDeliveries(
    test.database,
    {
      accountId: hooks.accountId,
      endpointId: null,
      states: UNDELIVERED,
      from: new Date(Date.now() - HOUR_MS),
      to: new Date(Date.now() + HOUR_MS),
      ...filter,
    },
    { perSecond: AT_ONCE, limit: 100_000, ...rate },
  );

/** Attempts all due deliveries once. Returns their URLs. */
async function attemptAll(outcome: Parameters<typeof hooks.report>[1], status = 500): Promise<readonly string[]> {
  const claimed = await hooks.claim();
  for (const delivery of claimed) await hooks.report(delivery, outcome, status);
  return claimed.map(({ url }) => url).sort();
}

const states = async () => (await hooks.deliveries()).map(({ state }) => state).sort();
/** Due times relative to the first, in milliseconds. */
async function dueTimes(): Promise<readonly number[]> {
  const due = (await hooks.deliveries())
    .map(({ nextAttemptAt }) => nextAttemptAt?.getTime() ?? 0)
    .sort((a, b) => a - b);
  return due.map((time) => time - (due[0] ?? 0));
}

const emitEvents = async (count: number, url = 'https://a.example/') => {
  for (let index = 0; index < count; index += 1) await hooks.emit('video.task.failed', url);
};

describe('replayDeliveries', () => {
  it.each<[Replayable, Parameters<typeof hooks.report>[1]]>([
    ['failed', { outcome: 'failed' }],
    ['delivered', { outcome: 'delivered' }],
    ['pending', { outcome: 'retry', retryInMs: HOUR_MS }],
  ])('replays deliveries that are %s, with their events, and no others', async (state, outcome) => {
    await emitEvents(1);
    await attemptAll(outcome);
    const [before] = await hooks.deliveries();
    const others = REPLAYABLE.filter((other) => other !== state);
    expect(await replay({ states: others })).toEqual({ replayed: 0, broughtForward: 0, hasMore: false });
    const own = state === 'pending' ? { replayed: 0, broughtForward: 1 } : { replayed: 1, broughtForward: 0 };
    expect(await replay({ states: [state] })).toEqual({ ...own, hasMore: false });
    expect(await hooks.claimOne()).toMatchObject({
      id: before?.id,
      attempt: 2,
      step: state === 'pending' ? 2 : 1,
      event: { id: before?.event.publicId },
    });
  });

  it('creates the deliveries that an endpoint missed, of its types and since its creation', async () => {
    await hooks.emit('video.task.failed');
    // Times have milliseconds: an event of the same one would count as later.
    await hooks.sql('SELECT pg_sleep(0.002)');
    const id = await hooks.endpoint('https://a.example/', { eventTypes: ['video.task.failed', 'webhook.test'] });
    const other = await hooks.endpoint('https://b.example/', { eventTypes: ['webhook.test'] });
    await endWebhookEndpoint(test.database, hooks.accountId, id, 'disabled');
    await hooks.emit('video.task.failed');
    await hooks.emit('video.task.succeeded');
    await hooks.emit('video.task.failed', null, true);
    await hooks.emit('video.task.failed', 'https://a.example/');
    await sendTestEvent(test.database, hooks.accountId, other);
    await attemptAll({ outcome: 'delivered' }, 200);
    expect(await replay()).toMatchObject({ replayed: 0 });
    await enableWebhookEndpoint(test.database, hooks.accountId, id);
    expect(await replay({ endpointId: other })).toMatchObject({ replayed: 0 });
    expect(await replay({ endpointId: id })).toEqual({ replayed: 1, broughtForward: 0, hasMore: false });
    expect(await hooks.claimOne()).toMatchObject({
      url: 'https://a.example/',
      attempt: 1,
      event: { type: 'video.task.failed' },
    });
  });

  it('sends an endpoint no event about its own end', async () => {
    const id = await hooks.endpoint('https://gone.example/');
    await hooks.emit();
    await attemptAll({ outcome: 'gone' }, 410);
    await enableWebhookEndpoint(test.database, hooks.accountId, id);
    expect(await replay()).toMatchObject({ replayed: 1 });
    expect(await hooks.claimOne()).toMatchObject({ event: { type: 'video.task.succeeded' } });
  });

  it('sends to the named endpoint, or to all enabled ones and the URLs of tasks', async () => {
    const [named, off] = [await hooks.endpoint('https://a.example/'), await hooks.endpoint('https://b.example/')];
    await hooks.endpoint('https://c.example/');
    await hooks.emit('video.task.succeeded', 'https://d.example/');
    await attemptAll({ outcome: 'failed' });
    await endWebhookEndpoint(test.database, hooks.accountId, off, 'disabled');
    expect(await replay({ accountId: await test.account() })).toMatchObject({ replayed: 0 });
    expect(await replay({ endpointId: named })).toMatchObject({ replayed: 1 });
    expect(await attemptAll({ outcome: 'failed' })).toEqual(['https://a.example/']);
    expect(await replay()).toMatchObject({ replayed: 3 });
    expect(await attemptAll({ outcome: 'failed' })).toEqual(['a', 'c', 'd'].map((host) => `https://${host}.example/`));
  });

  it('replays the events of a period, both ends included', async () => {
    await emitEvents(3);
    await attemptAll({ outcome: 'failed' });
    await hooks.sql(`UPDATE account_event SET created_at = '2026-01-01T00:00:00.000Z'::timestamptz
      + interval '1 second' * (id - (SELECT min(id) FROM account_event))`);
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
    expect(await replay({ from: at(1), to: at(1) })).toMatchObject({ replayed: 1 });
    expect(await replay({ from: at(0), to: at(1) })).toMatchObject({ replayed: 1 });
    expect(await replay({ from: at(2), to: at(9) })).toMatchObject({ replayed: 1 });
    expect(await states()).toEqual(['pending', 'pending', 'pending']);
  });

  it('replays a delivered event once for repeated calls', async () => {
    await emitEvents(2);
    await attemptAll({ outcome: 'delivered' }, 200);
    const [last] = await hooks.deliveries();
    const filter = { states: ['delivered'], to: last?.finishedAt ?? new Date() } as const;
    expect(await replay(filter)).toMatchObject({ replayed: 2 });
    expect(await replay(filter)).toMatchObject({ replayed: 0 });
    await hooks.sql(`SELECT pg_sleep(0.002)`);
    await attemptAll({ outcome: 'delivered' }, 200);
    expect(await replay(filter)).toMatchObject({ replayed: 0 });
  });

  it('spreads the due times, and a repeated call does not move them', async () => {
    await emitEvents(6);
    await attemptAll({ outcome: 'failed' });
    await replay({}, { perSecond: 2 });
    const due = await dueTimes();
    expect(due).toEqual([0, 500, 1_000, 1_500, 2_000, 2_500]);
    expect(await replay({}, { perSecond: 2 })).toEqual({ replayed: 0, broughtForward: 0, hasMore: false });
    expect(await dueTimes()).toEqual(due);
  });

  it('stops at the limit, and a repeated call continues after it', async () => {
    await hooks.sql(`WITH event AS (
        INSERT INTO account_event (public_id, account_id, type, subject, data, is_test)
          SELECT 'evt_m' || n, '${hooks.accountId}', 'video.task.failed', 'task_' || n, '{}', false
          FROM generate_series(1, 1200) AS n RETURNING id
      )
      INSERT INTO webhook_delivery (id, event_id, account_id, url, host, state, finished_at)
        SELECT 'whd_m' || id, id, '${hooks.accountId}', 'https://a.example/', 'a.example', 'failed', now() FROM event`);
    const filter = { to: new Date(Date.now() + HOUR_MS) };
    expect(await replay(filter, { perSecond: 10, limit: 600 })).toEqual({
      replayed: 1_000,
      broughtForward: 0,
      hasMore: true,
    });
    expect(await replay(filter, { perSecond: 10, limit: 600 })).toMatchObject({ replayed: 200, hasMore: false });
    const [{ apart } = { apart: 0 }] = await test.database.prisma.$queryRaw<{ apart: number }[]>`
      SELECT extract(epoch FROM max(next_attempt_at) - min(next_attempt_at))::float8 AS apart
      FROM webhook_delivery WHERE account_id = ${hooks.accountId}`;
    expect(apart).toBeGreaterThanOrEqual(119.9);
  });

  it('changes each delivery once in concurrent calls', async () => {
    const id = await hooks.endpoint('https://a.example/');
    await emitEvents(5, 'https://b.example/');
    await attemptAll({ outcome: 'failed' });
    await endWebhookEndpoint(test.database, hooks.accountId, id, 'disabled');
    await emitEvents(5, 'https://b.example/');
    await attemptAll({ outcome: 'failed' });
    await enableWebhookEndpoint(test.database, hooks.accountId, id);
    const done = await Promise.all([1, 2, 3, 4].map(() => replay()));
    expect(done.reduce((sum, { replayed }) => sum + replayed, 0)).toBe(20);
    expect(await states()).toEqual(Array(20).fill('pending'));
  });

  it('leaves a delivery alone during its attempt', async () => {
    await emitEvents(1);
    const claimed = await hooks.claimOne();
    expect(await replay()).toEqual({ replayed: 0, broughtForward: 0, hasMore: false });
    expect(await hooks.claim()).toEqual([]);
    await hooks.report(claimed, { outcome: 'delivered' }, 200);
    expect(await states()).toEqual(['delivered']);
  });

  it('does not count replayed deliveries as unattempted before they are due', async () => {
    const id = await hooks.endpoint('https://a.example/');
    await endWebhookEndpoint(test.database, hooks.accountId, id, 'disabled');
    await emitEvents(3, 'https://b.example/');
    await attemptAll({ outcome: 'delivered' }, 200);
    await enableWebhookEndpoint(test.database, hooks.accountId, id);
    expect(await replay()).toMatchObject({ replayed: 3 });
    await hooks.sql(`UPDATE webhook_delivery SET next_attempt_at = next_attempt_at + interval '1 minute'
      WHERE state = 'pending'`);
    expect(await webhookBacklog(test.database)).toMatchObject({ pending: 3, unattempted: 0, oldestUnattemptedMs: 0 });
  });
});
