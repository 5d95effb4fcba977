import { newRequestId, taskIdOf } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { closeAccount } from './accounts/close-account.js';
import { listAudit } from './audit/audit-log.js';
import { followEpoch, nextEpoch } from './epochs/epochs.js';
import { eventsAfter } from './events/events-after.js';
import { changeKey } from './keys/change-key.js';
import { listHashesBelow } from './keys/find-key.js';
import { findKeyBySha256 } from './keys/find-key-by-sha256.js';
import { listLedger } from './ledger/list-ledger.js';
import { hiddenObjects, hideExpiredObjects } from './objects/delete-object.js';
import { listObjects } from './objects/find-object.js';
import { requestReaderIn } from './requests/open-request-store.js';
import { expiredRequests, readRequestBacklog, takeDueRequests } from './requests/sweep-requests.js';
import { findSettlement } from './settlements/find-settlement.js';
import { listSettlements } from './settlements/list-settlements.js';
import { recordSettlements } from './settlements/record-settlements.js';
import { statementCharges } from './statements/statement-charges.js';
import { claimPolls } from './tasks/claim-polls.js';
import { listTasks, type TaskQuery } from './tasks/list-tasks.js';
import { openTask } from './tasks/open-task.js';
import { recordPolls } from './tasks/record-polls.js';
import { abandonedSubmissions, expiredTasks, overdueTasks } from './tasks/sweep-tasks.js';
import { checkTaskHolds } from './tasks/task-holds.js';
import { countTouchedRows } from './test-support/count-touched-rows.js';
import { addEndedChildren, makeChildKey } from './test-support/make-child-key.js';
import { newDurableRequest } from './test-support/new-durable-request.js';
import { returnKeySpending } from './test-support/return-key-spending.js';
import { sampleTask, TaskFixture } from './test-support/task-fixture.js';
import { sampleEvent, TestDatabase } from './test-support/test-database.js';
import { WebhookFixture } from './test-support/webhook-fixture.js';
import { claimDeliveries } from './webhooks/claim-deliveries.js';
import { type DeliveryState, listDeliveries } from './webhooks/list-deliveries.js';
import { REPLAYABLE, replayDeliveries } from './webhooks/replay-deliveries.js';

/** Rows of one customer that a query must not read. */
const MANY = 5_000;
/** Divides `MANY`. */
const PART = 250;
/** A page, with some rows for finding it. */
const FEW = 100;
const LIMIT = 20;
/** The size of a batch of settlements under load. */
const BATCH = 500;
/** The deliveries that a claim reads before it steps from host to host. */
const OLDEST_READ = 200;

describe('with many rows of one customer', () => {
  let test: TestDatabase;
  let tasks: TaskFixture;
  let many: string;

  beforeAll(async () => {
    test = await TestDatabase.open();
    tasks = await TaskFixture.open(test);
    many = tasks.accountId;
  });

  afterAll(() => test.close());

  const sql = (statement: string) => test.database.prisma.$executeRawUnsafe(statement);
  const rows = async (table: string, run: Parameters<typeof countTouchedRows>[2]) =>
    (await countTouchedRows(test.url, table, run)).rows;

  describe('child keys that have ended', () => {
    let parent: Awaited<ReturnType<TestDatabase['key']>>;
    let child: Awaited<ReturnType<typeof makeChildKey>>;

    const makeChild = (database: TestDatabase['database']) =>
      makeChildKey(database, { accountId: many, parentId: parent.id, budgetNanoUsd: 1n });

    beforeAll(async () => {
      parent = await test.key(many, 1_000_000n);
      await addEndedChildren(test.database, parent.id, MANY);
      child = await makeChild(test.database);
      await sql('ANALYZE api_key');
    });

    it.each([
      ['another child is made', makeChild],
      ['an edge reads an open child', (database) => findKeyBySha256(database, child.sha256)],
      ['the parent is changed', (database) => changeKey(database, { accountId: many }, parent.id, { concurrency: 5 })],
      ['the hashes of open children are listed', (database) => listHashesBelow(database, many, parent.id)],
      ['the parent spends', (database) => returnKeySpending(database, parent.id, -999_000n)],
    ] as [string, (database: TestDatabase['database']) => Promise<unknown>][])(
      'are not read when %s',
      async (_when, run) => {
        expect(await rows('api_key', run)).toBeLessThan(FEW);
      },
    );
  });

  describe('files', () => {
    beforeAll(async () => {
      await sql(`
        INSERT INTO stored_object (id, account_id, key_id, is_test, purpose, filename, content_type, bytes, sha256, status,
          due_at, created_at, expires_at)
        SELECT 'file-' || n, '${many}', '${tasks.keyId}', false, CASE WHEN n % 50 = 0 THEN 'vision' ELSE 'batch' END, 'a', 'b', 1,
          'c', 'ready', now(), now() - n * interval '1 second', now() + interval '1 day'
        FROM generate_series(1, ${MANY}) AS n`);
      await sql('ANALYZE stored_object');
    });

    it.each([
      ['the newest', { order: 'desc' }],
      ['the oldest', { order: 'asc' }],
      ['a purpose with few files', { order: 'desc', purpose: 'vision' }],
      ['a purpose without files', { order: 'desc', purpose: 'evals' }],
      ['a later page', { order: 'desc', after: 'file-4000' }],
    ] as const)('are read by an index: %s', async (_which, page) => {
      const list = (database: TestDatabase['database']) =>
        listObjects(database, { accountId: many, isTest: false }, { limit: LIMIT, ...page });
      expect(await rows('stored_object', list)).toBeLessThan(FEW);
    });

    it('are read by an index for the sweeps', async () => {
      const sweep = async (database: TestDatabase['database']) => {
        await hideExpiredObjects(database, LIMIT);
        await hiddenObjects(database, LIMIT);
      };
      expect(await rows('stored_object', sweep)).toBeLessThan(FEW);
    });
  });

  describe('kept requests that are settled', () => {
    const vendors = ['openai'] as const;

    beforeAll(async () => {
      const requests = requestReaderIn(test.database);
      const open = await requests.add(newDurableRequest(many));
      await sql(`
        INSERT INTO durable_request
        SELECT (jsonb_populate_record(request, jsonb_build_object('id', 'req_settled' || n, 'status', 'completed',
          'finished_at', now(), 'settled_at', now(), 'expires_at', now() + interval '1 day'))).*
        FROM durable_request AS request, generate_series(1, ${MANY}) AS n WHERE request.id = '${open?.requestId}'`);
      await sql(`UPDATE durable_request SET due_at = now() - interval '1 minute' WHERE id = '${open?.requestId}'`);
      await sql('ANALYZE durable_request');
      await sql('ANALYZE open_request');
    });

    it.each<[string, (database: TestDatabase['database']) => Promise<unknown>]>([
      ['the backlog is counted', readRequestBacklog],
      ['expired ones are looked for', (database) => expiredRequests(database, LIMIT)],
      ['due ones are taken', (database) => takeDueRequests(database, vendors, LIMIT)],
    ])('are not read when %s', async (_when, run) => {
      expect(await rows('durable_request', run)).toBeLessThan(FEW);
    });

    it('are not read when another account is closed', async () => {
      const close = async (database: TestDatabase['database']) =>
        closeAccount(database, { accountId: await test.account(), personId: 'psn_none', details: {} });
      expect(await rows('durable_request', close)).toBeLessThan(FEW);
    });

    it('are not what a sweep takes or counts', async () => {
      expect(await readRequestBacklog(test.database)).toMatchObject({ queued: 1, inProgress: 0, unsettled: 0 });
    });
  });

  describe('tasks', () => {
    beforeAll(async () => {
      const ended = `'succeeded', now() - interval '40 days', 0, NULL, NULL`;
      const open = `'running', NULL, NULL, now() + interval '1 day', NULL`;
      for (const [name, state] of Object.entries({ ended, open }))
        await sql(`
          INSERT INTO video_task (id, public_id, request_id, account_id, key_id, is_test, model, vendor, duration_seconds,
            resolution, aspect_ratio, unit, price_version, unit_prices, hold_nano_usd, hold_entry_id, created_at, expires_at,
            channel_id, upstream_task_id, state, finished_at, cost_nano_usd, next_poll_at, lease_until)
          SELECT 'task_${name}' || n, 'task_${name}' || n, 'req_${name}' || n, '${many}', '${tasks.keyId}', false, 'wn2.7-t2v',
            'dashscope', 5, '720p', '16:9', 'second', 'v', '{}', 0, 'e', now() - interval '50 days' + n * interval '1 second',
            now() + interval '1 day', 'channel-1', 'up-${name}' || n, ${state}
          FROM generate_series(1, ${MANY}) AS n`);
      await sql('ANALYZE video_task');
    });

    it.each<[string, Partial<TaskQuery>, boolean]>([
      ['the newest tasks', {}, false],
      ['a state without tasks', { status: 'cancelled' }, false],
      ['queued tasks', { status: 'queued' }, false],
      ['models with few tasks', { models: ['grok-video', 'other'] }, false],
      ['a model and a state', { models: ['grok-video'], status: 'failed' }, false],
      ['test tasks', {}, true],
    ])('are read by an index for %s', async (_which, page, onlyTest) => {
      const list = (database: TestDatabase['database']) =>
        listTasks(database, { accountId: many, onlyTest }, { after: null, limit: LIMIT, ...page });
      expect(await rows('video_task', list)).toBeLessThan(FEW);
    });

    it('are read by an index for the sweeps', async () => {
      const sweep = async (database: TestDatabase['database']) => {
        await overdueTasks(database, { graceMs: 0, limit: LIMIT });
        await abandonedSubmissions(database, LIMIT);
        await expiredTasks(database, 0, LIMIT);
      };
      expect(await rows('video_task', sweep)).toBeLessThan(FEW);
    });

    it('that ended long ago are not read by the reconciliation', async () => {
      expect(await rows('video_task', (database) => checkTaskHolds(database, 0))).toBeLessThan(MANY + FEW);
    });

    it('are claimed for a poll without a new index entry', async () => {
      const claim = (database: TestDatabase['database']) =>
        claimPolls(database, [{ taskId: 'task_open1', owner: 'worker', leaseMs: 60_000 }]);
      expect(await countTouchedRows(test.url, 'video_task', claim)).toMatchObject({ changesInPage: 1 });
    });

    it('are opened, also a second time, without reading others', async () => {
      const task = sampleTask(many, tasks.keyId, { idempotencyKey: 'large' });
      const open = (database: TestDatabase['database']) => openTask(database, task, 60_000);
      expect(await rows('video_task', open)).toBeLessThan(FEW);
      const again = { ...task, taskId: taskIdOf(newRequestId()), requestId: newRequestId() };
      const openAgain = async (database: TestDatabase['database']) =>
        expect(await openTask(database, again, 60_000)).toMatchObject({
          outcome: 'exists',
          task: { taskId: task.taskId },
        });
      expect(await rows('video_task', openAgain)).toBeLessThan(FEW);
    });

    it('are updated by a poll without reading others, whether it has an event or not', async () => {
      const task = await tasks.queued();
      const update = {
        state: null,
        startedAtMs: null,
        progress: 5,
        upstream: null,
        failures: 0,
        missCount: 0,
      } as const;
      const poll = { taskId: task.taskId, task, update: { ...update, nextPollMs: 1_000 } };
      for (const more of [{}, { record: { status: 'running' } }]) {
        const record = (database: TestDatabase['database']) => recordPolls(database, [{ ...poll, ...more }]);
        expect(await rows('video_task', record)).toBeLessThan(FEW);
      }
    });
  });

  it('the ledger is listed without reading transfers between the customer’s own accounts', async () => {
    await sql(`INSERT INTO ledger_transaction (reference, kind, account_id)
      SELECT 'task-release:' || n, 'task_release', '${many}' FROM generate_series(1, ${MANY}) AS n`);
    await sql('ANALYZE ledger_transaction');
    const list = (database: TestDatabase['database']) => listLedger(database, many, { afterId: null, limit: LIMIT });
    expect(await rows('ledger_transaction', list)).toBeLessThan(FEW);
  });

  it('the credits of the ledger are listed without reading its settlements', async () => {
    await sql(`INSERT INTO ledger_transaction (reference, kind, account_id)
      SELECT 'settlement:credits-' || n, 'settlement', '${many}' FROM generate_series(1, ${MANY}) AS n`);
    await sql('ANALYZE ledger_transaction');
    for (const kind of ['top_up', 'adjustment'] as const) {
      const list = (database: TestDatabase['database']) =>
        listLedger(database, many, { afterId: null, limit: LIMIT, kind });
      expect(await rows('ledger_transaction', list)).toBeLessThan(FEW);
    }
  });

  it('a page of requests is read by an index, over many months', async () => {
    // A thousand in each of the last five months.
    const month = `(date_trunc('month', now(), 'UTC') - n % 5 * interval '1 month')`;
    await sql(`SELECT make_month_partitions((now() - interval '5 months')::date, now()::date)`);
    await sql(`INSERT INTO settlement (request_id, account_id, key_id, endpoint, model, outcome, hold_nano_usd, cost_nano_usd,
        price_version, unit_prices, units, is_estimated, attempts, schema_version, admitted_at, settled_at, stream_entry_id, epoch)
      SELECT 'req_' || to_char(${month} AT TIME ZONE 'UTC', 'YYYYMM') || n, '${many}', '${tasks.keyId}', 'chat.completions', 'gm-2',
        'completed', 0, 0, 'p', '{}', '{}', false, '[]', 1, ${month}, ${month} + n * interval '1 minute', n || '-0', 1
      FROM generate_series(1, ${MANY}) AS n`);
    await sql('ANALYZE settlement');
    const first = { after: null, limit: LIMIT };
    const list = (database: TestDatabase['database']) => listSettlements(database, many, {}, first);
    expect(await rows('settlement', list)).toBeLessThan(FEW);
    const [last] = (await listSettlements(test.database, many, {}, first)).slice(-1);
    const oldest = (database: TestDatabase['database']) =>
      listSettlements(database, many, {}, { ...first, order: 'oldest' });
    expect(await rows('settlement', oldest)).toBeLessThan(FEW);
    const next = (database: TestDatabase['database']) =>
      listSettlements(database, many, { keyId: tasks.keyId }, { after: last ?? null, limit: LIMIT });
    expect(await rows('settlement', next)).toBeLessThan(FEW);
    const find = (database: TestDatabase['database']) => findSettlement(database, many, last?.requestId ?? '');
    expect(await rows('settlement', find)).toBe(1);
  });

  it('the charges of a month are read without the receipts of others', async () => {
    const few = await test.account();
    await sql(`INSERT INTO settlement (request_id, account_id, key_id, endpoint, model, outcome, hold_nano_usd, cost_nano_usd,
        price_version, unit_prices, units, is_estimated, attempts, schema_version, admitted_at, settled_at, stream_entry_id, epoch)
      SELECT 'req_few' || n, '${few}', '${tasks.keyId}', 'chat.completions', 'gm-2', 'completed', 0, 1, 'p', '{}', '{}', false,
        '[]', 1, now(), now(), 'few-' || n, 1
      FROM generate_series(1, ${LIMIT}) AS n`);
    await sql(`INSERT INTO ledger_transaction (reference, kind, account_id)
      SELECT 'settlement:' || request_id, 'settlement', '${few}' FROM settlement WHERE account_id = '${few}'`);
    await sql('ANALYZE settlement, ledger_transaction');
    const period = { accountId: few, from: new Date(Date.now() - 86_400_000), to: new Date(Date.now() + 60_000) };
    const chargesNanoUsd = BigInt(-LIMIT);
    const read = (chargeCount: number) => async (database: TestDatabase['database']) => {
      // A table of this size fits into memory, and would be hashed. One of production does not.
      await database.prisma.$executeRawUnsafe('SET LOCAL enable_hashjoin = off');
      await database.prisma.$executeRawUnsafe('SET LOCAL enable_mergejoin = off');
      const totals = { chargesNanoUsd, chargeCount: BigInt(chargeCount) };
      expect(await statementCharges(database, { ...period, ...totals })).toMatchObject([{ requests: BigInt(LIMIT) }]);
    };
    expect(await rows('settlement', read(LIMIT))).toBe(LIMIT);
    // Another number than the ledger's: each charge is looked up too.
    expect(await rows('settlement', read(LIMIT + 1))).toBeLessThan(FEW);
  });

  it('the audit log of one account is read by an index', async () => {
    await sql(`INSERT INTO audit_entry (actor, account_id, action, details, ip, request_id)
      SELECT 'person', '${many}', 'key.create', '{}', '::1', 'r' FROM generate_series(1, ${MANY}) AS n`);
    await sql(`INSERT INTO audit_outcome (entry_id, status) SELECT id, 200 FROM audit_entry`);
    await sql('ANALYZE audit_entry, audit_outcome');
    const list = (database: TestDatabase['database']) =>
      listAudit(database, { accountId: 'acct_other', beforeId: null, limit: LIMIT });
    expect(await rows('audit_entry', list)).toBeLessThan(FEW);
    expect(await rows('audit_outcome', list)).toBeLessThan(FEW);
  });

  it('a charge reads only its accounts, also in a session that has recorded a large batch', async () => {
    // Three ledger accounts each, by triggers: in parts, so that no statement nears its time-out on a busy machine.
    for (let first = 1; first <= MANY; first += PART) {
      await sql(`INSERT INTO account (id, email) SELECT 'acct_' || n, n || '@example.com'
        FROM generate_series(${first}, ${first + PART - 1}) AS n`);
    }
    await sql('ANALYZE account, ledger_account, ledger_balance');
    const charge = (database: TestDatabase['database'], count: number) => {
      const events = Array.from({ length: count }, (_, index) => sampleEvent(`acct_${index + 1}`, 1n));
      return recordSettlements(
        database,
        events.map((event) => ({ streamId: event.requestId, event })),
        1n,
      );
    };
    const batchAndOne = async (database: TestDatabase['database']) => {
      expect(await charge(database, BATCH)).toMatchObject({ newRequests: BATCH });
      expect(await charge(database, 1)).toMatchObject({ newRequests: 1 });
    };
    expect(await rows('account', batchAndOne)).toBeLessThan(MANY);
  });

  it('a batch of returned escrow does not read accounts whose escrow is returned', async () => {
    const epoch = await nextEpoch(test.database);
    const step = (afterId: bigint) => followEpoch(test.database, epoch, { afterId, limit: LIMIT });
    const { lastId } = await step(0n);
    await sql('ANALYZE ledger_balance');
    const next = async (database: TestDatabase['database']) =>
      expect(await followEpoch(database, epoch, { afterId: lastId, limit: LIMIT })).toMatchObject({
        accounts: BigInt(LIMIT),
      });
    expect(await rows('ledger_account', next)).toBeLessThan(MANY);
  });

  describe('events and deliveries', () => {
    const dead = 'https://dead.example/';
    let hooks: WebhookFixture;

    beforeAll(async () => {
      hooks = await WebhookFixture.open(test);
      await sql(`WITH event AS (
          INSERT INTO account_event (public_id, account_id, type, subject, data, is_test)
            SELECT 'evt_' || n, '${hooks.accountId}', 'video.task.failed', 'task_' || n, '{}', false
            FROM generate_series(1, ${MANY}) AS n RETURNING id
        )
        INSERT INTO webhook_delivery (id, event_id, account_id, url, host, next_attempt_at)
          SELECT 'whd_' || id, id, '${hooks.accountId}', '${dead}', 'dead.example', now() - interval '1 hour' FROM event`);
      await sql('ANALYZE account_event, webhook_delivery');
    });

    it.each([
      ['a type without events', { types: ['balance.low'] as const }],
      ['test events', { isTest: true }],
    ])('are read by an index for %s', async (_which, which) => {
      const read = (database: TestDatabase['database']) =>
        eventsAfter(database, hooks.accountId, { after: null, limit: LIMIT, ...which });
      expect(await rows('account_event', read)).toBeLessThan(FEW);
    });

    it.each<DeliveryState>(['pending', 'failed', 'cancelled'])(
      'are read by an index for those that are %s',
      async (state) => {
        const list = (database: TestDatabase['database']) =>
          listDeliveries(database, hooks.accountId, { before: null, limit: LIMIT, state });
        expect(await rows('webhook_delivery', list)).toBeLessThan(FEW);
      },
    );

    it.each([
      ['before', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
      ['after', '2099-01-01T00:00:00Z', '2099-01-02T00:00:00Z'],
    ])('are not read to replay events %s them', async (_when, from, to) => {
      const which = { endpointId: null, states: REPLAYABLE, from: new Date(from), to: new Date(to) };
      const replay = async (database: TestDatabase['database']) => {
        const pace = { perSecond: 1, limit: 1 };
        const done = await replayDeliveries(database, { accountId: hooks.accountId, ...which }, pace);
        expect(done).toEqual({ replayed: 0, broughtForward: 0, hasMore: false });
      };
      expect(await rows('account_event', replay)).toBeLessThan(FEW);
      expect(await rows('webhook_delivery', replay)).toBeLessThan(FEW);
    });

    it('of a dead receiver do not delay the others', async () => {
      const limits = { limit: 10, leaseMs: 60_000, hostLimit: 2, accountLimit: 4 };
      const claim = (database: TestDatabase['database']) => claimDeliveries(database, limits);
      expect(await claim(test.database)).toHaveLength(2);
      const other = new WebhookFixture(test, await test.account());
      await other.emit('video.task.failed', 'https://lives.example/');
      await hooks.emit('video.task.failed', 'https://lives.example/');
      const claimed = await claim(test.database);
      expect(claimed.map(({ accountId }) => accountId).sort()).toEqual([hooks.accountId, other.accountId].sort());
      expect(claimed.map(({ url }) => url)).not.toContain(dead);
      expect(await claim(test.database)).toEqual([]);
      expect(await rows('webhook_delivery', claim)).toBeLessThan(OLDEST_READ + FEW);
    });
  });
});
