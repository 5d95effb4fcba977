import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { findSession } from '../sessions/session.js';
import { makeBaseline } from '../test-support/make-baseline.js';
import { TestDatabase } from '../test-support/test-database.js';
import { applyMigrations } from './apply-migrations.js';

let test: TestDatabase;

beforeEach(async () => {
  test = await TestDatabase.openEmpty(1);
});

afterEach(() => test.close());

const run = (statement: string) => test.database.prisma.$executeRawUnsafe(statement);

/** A database that the release of the baseline has filled. */
async function fillBaseline(): Promise<void> {
  await makeBaseline(test);
  // The functions of its triggers have no bodies yet.
  await run('ALTER TABLE account DISABLE TRIGGER USER');
  await run(`INSERT INTO account (id, email, password_hash, time_zone, created_at) VALUES
    ('acct_one', 'one@example.com', 'hash-1', 'Asia/Tokyo', '2026-01-01'),
    ('acct_two', 'two@example.com', NULL, 'UTC', '2026-01-02')`);
  await run('ALTER TABLE account ENABLE TRIGGER USER');
  await run(`INSERT INTO session (token_sha256, account_id, expires_at) VALUES ('token', 'acct_one', '2099-01-01')`);
  await run(`INSERT INTO api_key (id, account_id, sha256, prefix, name) VALUES ('key_1', 'acct_one', 's', 'sk', 'k')`);
  await run(`INSERT INTO audit_entry (actor, account_id, action, details, ip, request_id)
    VALUES ('person', 'acct_one', 'key.create', '{}', '::1', 'req_1')`);
}

it('makes each account an organisation of one, with its password, sessions, keys and audit log', async () => {
  await fillBaseline();
  await applyMigrations(test.url);
  const { prisma } = test.database;
  expect(await prisma.person.findMany({ orderBy: { id: 'asc' } })).toMatchObject([
    { id: 'psn_one', email: 'one@example.com', passwordHash: 'hash-1', timeZone: 'Asia/Tokyo' },
    { id: 'psn_two', email: 'two@example.com', passwordHash: null, confirmedAt: new Date('2026-01-02') },
  ]);
  expect(await prisma.member.findMany({ orderBy: { id: 'asc' } })).toMatchObject([
    { id: 'mem_one', accountId: 'acct_one', personId: 'psn_one', role: 'owner', removedAt: null },
    { id: 'mem_two', accountId: 'acct_two', personId: 'psn_two', role: 'owner', removedAt: null },
  ]);
  expect(await findSession(test.database, 'token', new Date())).toMatchObject({
    id: expect.stringMatching(/^ses_[0-9a-f]{32}$/),
    person: { id: 'psn_one' },
    organisation: { account: { id: 'acct_one' }, member: { id: 'mem_one', role: 'owner' } },
  });
  expect(await prisma.apiKey.findMany()).toMatchObject([{ id: 'key_1', memberId: null }]);
  expect(await prisma.auditEntry.findMany()).toMatchObject([{ accountId: 'acct_one', personId: null, role: null }]);
});
