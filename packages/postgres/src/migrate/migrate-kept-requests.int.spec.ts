import type { DurableRequestRecord, UsageSettled } from '@gateway/contracts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { requestReaderIn, requestStoreIn } from '../requests/open-request-store.js';
import { makeBaseline } from '../test-support/make-baseline.js';
import { TestDatabase } from '../test-support/test-database.js';
import { applyMigrations } from './apply-migrations.js';

let test: TestDatabase;

beforeEach(async () => {
  test = await TestDatabase.openEmpty(1);
});

afterEach(() => test.close());

const run = (statement: string) => test.database.prisma.$executeRawUnsafe(statement);

/** Kept requests of the release of the baseline: an ended one, one that is decided and not ended, and one that waits. */
async function fillBaseline(): Promise<void> {
  await makeBaseline(test);
  // The functions of its triggers have no bodies yet.
  await run('ALTER TABLE account DISABLE TRIGGER USER');
  await run(`INSERT INTO account (id, email, time_zone) VALUES ('acct_one', 'one@example.com', 'UTC')`);
  await run('ALTER TABLE account ENABLE TRIGGER USER');
  const response = `'{"status": 200, "headers": {}, "bytes": 7}'`;
  await run(`INSERT INTO durable_request (id, account_id, is_test, endpoint, model, vendor, status, version, ticket, owner,
      due_at, settlement, response, created_at, finished_at, expires_at) VALUES
    ('req_ended', 'acct_one', false, 'chat.completions', 'm', 'openai', 'completed', 3, '{"deadlineMs": 9e12}', NULL,
      now(), '{"costNanoUsd": "1"}', ${response}, now(), now(), now() - interval '1 minute'),
    ('req_decided', 'acct_one', false, 'chat.completions', 'm', 'openai', 'in_progress', 2, '{"deadlineMs": 9e12}', 'old',
      now(), '{"costNanoUsd": "2"}', ${response}, now(), NULL, now() + interval '1 day'),
    ('req_waits', 'acct_one', false, 'chat.completions', 'm', 'openai', 'queued', 1, '{"deadlineMs": 9e12}', NULL,
      now() + interval '1 hour', NULL, NULL, now(), NULL, now() + interval '1 day')`);
}

it('goes on with kept requests of an older release', async () => {
  await fillBaseline();
  await applyMigrations(test.url);
  const [store, reader] = [requestStoreIn(test.database), requestReaderIn(test.database)];
  expect(await store.expired(10)).toEqual([
    { requestId: 'req_ended', objects: ['requests/req_ended/body', 'requests/req_ended/response'] },
  ]);
  const [taken, ...others] = await store.takeDue(['openai'], 10);
  expect([taken?.request, others]).toMatchObject([{ requestId: 'req_decided', settlement: { costNanoUsd: '2' } }, []]);
  const end = {
    claim: { requestId: 'req_decided', owner: taken?.owner ?? '' },
    accountId: 'acct_one',
    settlement: { costNanoUsd: '2' } as unknown as UsageSettled,
    response: { status: 200, headers: {}, bytes: 7 },
    error: null,
    status: 'completed',
    finishedAtMs: 5_000,
    record: { id: 'req_decided' } as unknown as DurableRequestRecord,
    isOfBatch: false,
  } as const;
  expect(await store.end(end)).toBe(true);
  await store.markSettled('req_decided');
  const access = { accountId: 'acct_one', isTest: false };
  expect(await reader.find(access, 'req_decided')).toMatchObject({ status: 'completed', finishedAtMs: 5_000 });
  expect(await store.backlog()).toMatchObject({ queued: 1, inProgress: 0 });
  // A worker of the older release has run it meanwhile: it settles first, and its end leaves no owner.
  await run(`UPDATE durable_request SET status = 'completed', owner = NULL, due_at = now(), settlement = '{"costNanoUsd": "3"}',
    response = '{"status": 200, "headers": {}, "bytes": 7}', finished_at = now() WHERE id = 'req_waits'`);
  expect(await store.takeDue(['openai'], 10)).toEqual([]);
  expect(await store.backlog()).toMatchObject({ queued: 0, inProgress: 0 });
  expect(await test.database.prisma.$queryRaw`SELECT 1 FROM durable_request WHERE settled_at IS NULL`).toEqual([]);
  // Such a worker does not know the table of open requests.
  const open = () => test.database.prisma.$queryRaw`SELECT id FROM open_request`;
  expect(await open()).toEqual([{ id: 'req_waits' }]);
  expect(await store.takeDue(['openai'], 10)).toEqual([]);
  expect(await open()).toEqual([]);
});
