import { ACCOUNT_EVENT_TYPES } from '@gateway/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestDatabase } from '../test-support/test-database.js';
import { WebhookFixture } from '../test-support/webhook-fixture.js';
import { eventsAfter } from './events-after.js';
import { removeExpiredEvents } from './remove-expired-events.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

describe('an event', () => {
  let test: TestDatabase;
  let hooks: WebhookFixture;

  beforeAll(async () => {
    test = await TestDatabase.open();
  });

  beforeEach(async () => {
    hooks = await WebhookFixture.open(test);
  });

  afterAll(() => test.close());

  const after = async (seen: string | null) => {
    const events = await eventsAfter(test.database, hooks.accountId, { after: seen, limit: 100 });
    if (events === null) throw new Error('no such event');
    return events;
  };

  it('is read after its predecessor, by its account only', async () => {
    for (const type of ['video.task.queued', 'video.task.running', 'video.task.succeeded'] as const)
      await hooks.emit(type);
    const [first, ...rest] = await after(null);
    expect(await after(first?.id ?? '')).toEqual(rest);
    expect(rest.map(({ type }) => type)).toEqual(['video.task.running', 'video.task.succeeded']);
    expect(first).toMatchObject({ id: expect.stringMatching(/^evt_[0-9a-f]{32}$/), subject: 'task_a', isTest: false });
    const stranger = await test.account();
    expect(await eventsAfter(test.database, stranger, { after: null, limit: 100 })).toEqual([]);
    expect(await eventsAfter(test.database, stranger, { after: first?.id ?? '', limit: 100 })).toBeNull();
  });

  it('becomes visible in the order of ids, with concurrent writers', async () => {
    const seen: string[] = [];
    let isWriting = true;
    const writing = Promise.all(Array.from({ length: 60 }, () => hooks.emit())).finally(() => {
      isWriting = false;
    });
    const readOn = async () => {
      const events = await after(seen.at(-1) ?? null);
      seen.push(...events.map(({ id }) => id));
    };
    while (isWriting) await readOn();
    await writing;
    await readOn();
    expect(seen).toEqual((await after(null)).map(({ id }) => id));
    expect(seen).toHaveLength(60);
  });

  it('waits for an earlier event that is not committed, so no reader skips it', async () => {
    const { prisma } = test.database;
    const seen: string[] = [];
    let second: Promise<void> | undefined;
    await prisma.$transaction(async (first) => {
      await first.$queryRaw`
        SELECT emit_event(${hooks.accountId}, 'video.task.queued', 'first', '{}', NULL, false)::text`;
      let isSecondDone = false;
      second = hooks.emit('video.task.failed').finally(() => {
        isSecondDone = true;
      });
      const isWaiting = async () =>
        (
          await prisma.$queryRaw<unknown[]>`
          SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = database
          WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`
        ).length > 0;
      while (!isSecondDone && !(await isWaiting()));
      seen.push(...(await after(null)).map(({ id }) => id));
    });
    await second;
    seen.push(...(await after(seen.at(-1) ?? null)).map(({ id }) => id));
    expect(seen).toEqual((await after(null)).map(({ id }) => id));
    expect(seen).toHaveLength(2);
  });

  it.each(Object.entries(ACCOUNT_EVENT_TYPES))(
    'of type %s is sent by default as ACCOUNT_EVENT_TYPES says',
    async (type, row) => {
      const rows = await test.database.prisma.$queryRaw`SELECT is_sent_by_default(${type}) AS "isSentByDefault"`;
      expect(rows).toEqual([row]);
    },
  );

  it('of several together is one of its own, in their order, and is sent to the addresses of each once', async () => {
    await hooks.endpoint('https://all.example/');
    await hooks.endpoint('https://failed.example/', { eventTypes: ['request.failed'] });
    await hooks.endpoint('https://tests.example/', { isTest: true });
    const events = ['completed', 'failed', 'completed', 'cancelled'].map((end, place) =>
      JSON.stringify({ type: `request.${end}`, subject: `req_${place}`, data: { id: place } }),
    );
    const urls = ['https://own.example/', 'https://failed.example/', null, null];
    await test.database.prisma.$queryRaw`
      SELECT emit_events(${hooks.accountId}, ${events}::jsonb[], ${urls}::text[], ${[false, false, true, false]}::boolean[])::text`;
    expect((await after(null)).map(({ type, subject, isTest }) => [type, subject, isTest])).toEqual([
      ['request.completed', 'req_0', false],
      ['request.failed', 'req_1', false],
      ['request.completed', 'req_2', true],
      ['request.cancelled', 'req_3', false],
    ]);
    const deliveries = await test.database.prisma.$queryRaw<{ subject: string; url: string; host: string }[]>`
      SELECT subject, url, host FROM webhook_delivery JOIN account_event ON account_event.id = event_id ORDER BY subject, url`;
    expect(deliveries.map(({ subject, url }) => `${subject} ${url}`)).toEqual([
      'req_0 https://all.example/',
      'req_0 https://own.example/',
      'req_1 https://all.example/',
      'req_1 https://failed.example/',
      'req_2 https://tests.example/',
      'req_3 https://all.example/',
    ]);
    expect(deliveries[0]?.host).toBe('all.example');
  });

  it('is rolled back with the change that emits it', async () => {
    const emitAndFail = `DO $$ BEGIN
      PERFORM emit_event('${hooks.accountId}', 'video.task.failed', 't', '{}', 'https://a.example/', false);
      RAISE EXCEPTION 'no';
    END $$`;
    await expect(hooks.sql(emitAndFail)).rejects.toThrow('no');
    expect(await after(null)).toEqual([]);
    expect(await hooks.deliveries()).toEqual([]);
  });

  it('of an unknown account is refused', async () => {
    const emit = (name: string) =>
      hooks.sql(
        `SELECT ${name}('acct_unknown', 'video.task.failed', 't', '{}', ${name === 'emit_event' ? 'NULL, ' : ''}false)`,
      );
    await expect(emit('emit_event')).rejects.toThrow('an event has an unknown account');
    await expect(emit('append_event')).rejects.toThrow('an event has an unknown account');
  });

  it('is found by the time since when there are no older ones', async () => {
    for (let count = 0; count < 9; count += 1) await hooks.emit();
    await hooks.sql(`UPDATE account_event SET created_at = '2026-01-01T00:00:00Z'::timestamptz
      + interval '1 hour' * (SELECT count(*) FROM account_event AS other WHERE other.id < account_event.id)`);
    const rows = await test.database.prisma.$queryRaw<{ id: bigint }[]>`SELECT id FROM account_event ORDER BY id`;
    const ids = rows.map(({ id }) => id);
    for (const account of [null, hooks.accountId]) {
      for (let hours = -1; hours <= 9; hours += 1) {
        const at = new Date(Date.UTC(2026, 0, 1) + hours * 3_600_000 - 1);
        const [row] = await test.database.prisma.$queryRaw<{ first: bigint }[]>`
          SELECT (SELECT id FROM account_event WHERE id >= first_event_since(${account}::text, ${at}::timestamptz)
            ORDER BY id LIMIT 1) AS first`;
        expect(row?.first ?? null).toBe(ids[Math.max(0, hours)] ?? null);
      }
    }
    const [none] = await test.database.prisma.$queryRaw<object[]>`
      SELECT first_event_since('acct_unknown', now()) AS first`;
    expect(none).toEqual({ first: null });
  });

  it('is removed when it is old, unless a delivery is pending', async () => {
    await hooks.endpoint('https://a.example/');
    await hooks.emit();
    await hooks.sql(`UPDATE account_event SET created_at = now() - interval '31 days'`);
    await hooks.emit('video.task.failed');
    expect(await removeExpiredEvents(test.database, 30 * DAY_MS, 100)).toBe(0);
    for (const claimed of await hooks.claim()) await hooks.report(claimed, { outcome: 'delivered' }, 200);
    expect(await removeExpiredEvents(test.database, 30 * DAY_MS, 100)).toBe(1);
    expect((await after(null)).map(({ type }) => type)).toEqual(['video.task.failed']);
    expect(await hooks.deliveries()).toHaveLength(1);
  });
});
