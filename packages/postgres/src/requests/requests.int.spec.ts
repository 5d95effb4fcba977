import { randomBytes } from 'node:crypto';
import { bodyObject, responseObject, type UsageSettled } from '@gateway/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { Database } from '../database.js';
import { newDurableRequest } from '../test-support/new-durable-request.js';
import { TestDatabase } from '../test-support/test-database.js';
import { untilDue } from '../test-support/until-due.js';
import type { NewClaim } from './claim-request.js';
import { markSettled, type RequestDecision, type RequestEnd } from './end-request.js';
import type { NewDurableRequest } from './find-request.js';
import { type RequestReader, type RequestStore, requestReaderIn, requestStoreIn } from './open-request-store.js';

const COUNT = 150;

let test: TestDatabase;
let reader: RequestReader;
let store: RequestStore;
let accountId: string;
let otherId: string;

beforeAll(async () => {
  test = await TestDatabase.openFor('services');
  reader = requestReaderIn(test.database);
  store = requestStoreIn(test.database);
});

beforeEach(async () => {
  [accountId, otherId] = [await test.account(), await test.account()];
});

afterAll(() => test.close());

/** Of both accounts in turn. */
const newRequests = (more: Partial<NewDurableRequest> = {}): NewDurableRequest[] =>
  Array.from({ length: COUNT }, (_, number) => newDurableRequest(number % 2 === 0 ? accountId : otherId, more));

const claimOf = ({ ticket }: NewDurableRequest, owner = 'worker'): NewClaim => ({
  requestId: ticket.requestId,
  owner,
  ticket,
});

const decisionOf = ({ ticket }: NewDurableRequest, text = 'fine'): RequestDecision => ({
  settlement: { requestId: ticket.requestId, costNanoUsd: '5', text } as unknown as UsageSettled,
  response: { status: 200, headers: {}, bytes: 50 },
  error: null,
});

interface EndOptions extends Partial<RequestEnd> {
  readonly owner?: string;
  readonly text?: string;
}

const endOf = (request: NewDurableRequest, { owner, text, ...more }: EndOptions = {}): RequestEnd => ({
  ...decisionOf(request, text),
  claim: claimOf(request, owner),
  accountId: request.ticket.accountId,
  status: 'completed',
  finishedAtMs: Date.now(),
  record: { id: request.ticket.requestId } as unknown as RequestEnd['record'],
  isOfBatch: false,
  ...more,
});

const access = (ofAccount: string) => ({ accountId: ofAccount, isTest: false });

const find = ({ ticket }: NewDurableRequest) => reader.find(access(ticket.accountId), ticket.requestId);

const unsettled = async (): Promise<number> => {
  const [row] = await test.database.prisma.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM durable_request WHERE account_id = ANY (${[accountId, otherId]}::text[]) AND settled_at IS NULL`;
  return row?.count ?? -1;
};

const eventsOf = (subjects: readonly string[]) => test.database.prisma.$queryRaw<object[]>`
  SELECT account_id, type, subject, data FROM account_event WHERE subject = ANY (${[...subjects]}::text[]) ORDER BY id`;

const takeDue = async (...due: Parameters<RequestStore['takeDue']>) => {
  await untilDue();
  return store.takeDue(...due);
};

describe('many requests at once', () => {
  it('live their whole lives, each with its own row, claim, decision and event', async () => {
    const requests = newRequests();
    const added = await Promise.all(requests.map((request) => reader.add(request)));
    expect(added.map((request) => request?.requestId)).toEqual(requests.map(({ ticket }) => ticket.requestId));
    expect(added.map((request) => request?.accountId)).toEqual(requests.map(({ ticket }) => ticket.accountId));
    expect(added[0]).toMatchObject({ status: 'queued', version: 1, ticket: requests[0]?.ticket, isTest: false });

    const claimed = await Promise.all(requests.map((request, number) => store.claim(claimOf(request, `o${number}`))));
    expect(claimed.map((one) => one?.request.requestId)).toEqual(requests.map(({ ticket }) => ticket.requestId));
    expect(claimed.map((one) => one?.request.ticket)).toEqual(requests.map(({ ticket }) => ticket));
    expect(claimed.every((one) => one?.request.status === 'in_progress' && one.request.attempts === 1)).toBe(true);

    const ended = await Promise.all(
      requests.map((request, number) => store.end(endOf(request, { owner: `o${number}`, text: `n${number}` }))),
    );
    expect(new Set(ended)).toEqual(new Set([true]));
    await Promise.all(requests.map(({ ticket }) => store.markSettled(ticket.requestId)));
    expect(await unsettled()).toBe(0);

    const found = await Promise.all(requests.map(find));
    expect(found.map((request) => request?.settlement)).toEqual(
      requests.map((request, number) => decisionOf(request, `n${number}`).settlement),
    );
    expect(found.every((request) => request?.status === 'completed' && request.version === 3)).toBe(true);
    const events = await eventsOf(requests.map(({ ticket }) => ticket.requestId));
    expect(events).toHaveLength(COUNT);
    expect(events).toContainEqual({
      account_id: otherId,
      type: 'request.completed',
      subject: requests[1]?.ticket.requestId,
      data: { id: requests[1]?.ticket.requestId },
    });
    const use = await test.database.prisma.$queryRaw<object[]>`
      SELECT request_bytes::int FROM store_use WHERE account_id = ANY (${[accountId, otherId]}::text[])`;
    expect(use).toEqual([{ request_bytes: (COUNT / 2) * 150 }, { request_bytes: (COUNT / 2) * 150 }]);
  });

  it('wait for no lock in a circle with renewals, cancellations and sweeps', async () => {
    // All are due at once, for the sweeps.
    const requests = newRequests({ dueInMs: 0 });
    await Promise.all(requests.map((request) => reader.add(request)));
    const claims = requests.map((request) => claimOf(request));
    const isOver = new AbortController();
    const renewing = [claims, claims.toReversed()].map(async (renewed) => {
      while (!isOver.signal.aborted) await store.renew(renewed, 30_000);
    });
    const sweeping = (async () => {
      while (!isOver.signal.aborted) await takeDue(['openai'], 50);
    })();
    const other = requestStoreIn(test.database);
    const live = async (request: NewDurableRequest, number: number) => {
      const worker = number % 3 === 0 ? other : store;
      await worker.claim(claimOf(request));
      if (number % 5 === 0) await reader.requestCancel(access(request.ticket.accountId), request.ticket.requestId);
      const isEnded = await worker.end(endOf(request));
      await worker.markSettled(request.ticket.requestId);
      return isEnded;
    };
    expect(new Set(await Promise.all(requests.map(live)))).toEqual(new Set([true]));
    isOver.abort();
    await Promise.all([...renewing, sweeping]);
  });
});

describe('a request among others', () => {
  it('fails alone if its id is taken', async () => {
    const [first, second] = [newDurableRequest(accountId), newDurableRequest(accountId)];
    await reader.add(first);
    const results = await Promise.allSettled([reader.add(second), reader.add(first)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await find(second)).toMatchObject({ status: 'queued' });
  });

  it('is refused alone if its account keeps as much as it may', async () => {
    const requests = [
      newDurableRequest(accountId, { bytes: 2_000_000 }),
      newDurableRequest(accountId),
      newDurableRequest(otherId),
    ];
    const added = await Promise.all(requests.map((request) => reader.add(request)));
    expect(added.map((request) => request !== null)).toEqual([false, true, true]);
  });

  it('keeps no character that jsonb refuses', async () => {
    const request = newDurableRequest(accountId);
    await reader.add(request);
    await store.claim(claimOf(request));
    expect(await store.end(endOf(request, { text: 'a\u0000b\ud800' }))).toBe(true);
    expect(await find(request)).toMatchObject({ settlement: { text: 'a\uFFFDb\uFFFD' } });
  });

  it('has its short contents in its row, and nothing in the store', async () => {
    // No text: each byte must come back.
    const bytes = Buffer.from(Array.from({ length: 4_096 }, (_, index) => index % 256));
    const [inRow, inStore] = [newDurableRequest(accountId, { shortBody: bytes }), newDurableRequest(accountId)];
    await Promise.all([inRow, inStore].map((request) => reader.add(request)));
    const claimed = await Promise.all([inRow, inStore].map((request) => store.claim(claimOf(request))));
    expect(claimed.map((one) => one?.body)).toEqual([bytes, null]);
    await Promise.all([store.end(endOf(inRow, { shortResponse: bytes.subarray(7, 300) })), store.end(endOf(inStore))]);
    const found = await Promise.all([inRow, inStore].map(find));
    expect(found.map((request) => request?.shortResponse)).toEqual([bytes.subarray(7, 300), undefined]);
    await Promise.all([inRow, inStore].map(({ ticket }) => store.markSettled(ticket.requestId)));
    await Promise.all([inRow, inStore].map(({ ticket }) => reader.deleteEnded(access(accountId), ticket.requestId)));
    const objects = new Map((await store.expired(100)).map((request) => [request.requestId, request.objects]));
    expect(objects.get(inRow.ticket.requestId)).toEqual([]);
    expect(objects.get(inStore.ticket.requestId)).toEqual(
      [bodyObject, responseObject].map((keyOf) => keyOf(inStore.ticket.requestId)),
    );
  });

  it('leaves no body of a request that was never added, and keeps that of an added one', async () => {
    const [added, lost] = [newDurableRequest(accountId), newDurableRequest(accountId)];
    const ids = [added, lost].map(({ ticket }) => ticket.requestId);
    await Promise.all(ids.map((id) => reader.announceBody(id)));
    await reader.add(added);
    const keys = ids.map((id) => bodyObject(id));
    const pending = await test.database.prisma.$queryRaw<{ key: string }[]>`
      DELETE FROM pending_object WHERE key = ANY (${keys}::text[]) RETURNING key`;
    expect(pending).toEqual([{ key: bodyObject(lost.ticket.requestId) }]);
  });

  it('that an edge of the former release announced is swept with its body, unless it was added', async () => {
    const [added, dead] = [newDurableRequest(accountId), newDurableRequest(accountId)];
    const [addedId, deadId] = [added.ticket.requestId, dead.ticket.requestId];
    await test.database.prisma.$executeRaw`
      INSERT INTO pending_body SELECT unnest(${[addedId, deadId]}::text[]), now() - interval '1 second'`;
    await reader.add(added);
    const swept = async () =>
      (await store.expired(100)).filter(({ requestId }) => [addedId, deadId].includes(requestId));
    expect(await swept()).toEqual([{ requestId: deadId, objects: [bodyObject(deadId)] }]);
    await store.remove([deadId]);
    expect(await swept()).toEqual([]);
  });

  it('leaves the store without a response of any run', async () => {
    const request = newDurableRequest(accountId, { shortBody: Buffer.from('{}') });
    await reader.add(request);
    await store.claim(claimOf(request, 'first'));
    await store.return(claimOf(request, 'first'), 0);
    await store.claim(claimOf(request));
    await store.end(endOf(request, { shortResponse: Buffer.from('short') }));
    const { requestId } = request.ticket;
    await store.markSettled(requestId);
    await reader.deleteEnded(access(accountId), requestId);
    const expired = (await store.expired(100)).find((one) => one.requestId === requestId);
    expect(expired?.objects).toEqual([responseObject(requestId, 1), responseObject(requestId, 2)]);
  });

  it('is claimed by one of several', async () => {
    const request = newDurableRequest(accountId);
    await reader.add(request);
    const claims = ['a', 'b', 'c'].map((owner) => claimOf(request, owner));
    const claimed = await Promise.all(claims.map((claim) => store.claim(claim)));
    const won = claimed.findIndex((one) => one !== null);
    expect(claimed.filter((one) => one !== null)).toHaveLength(1);
    const renewed = await store.renew(claims, 30_000);
    expect(renewed).toHaveLength(1);
    const ended = await Promise.all(claims.map((claim) => store.end(endOf(request, { claim }))));
    expect(ended.map((isEnded, number) => isEnded === (number === won))).toEqual([true, true, true]);
  });

  it('is claimed once by a claim that is repeated', async () => {
    const request = newDurableRequest(accountId, { shortBody: Buffer.from('{}') });
    await reader.add(request);
    const first = await store.claim(claimOf(request));
    expect(await store.claim(claimOf(request))).toEqual({ ...first, ageMs: expect.any(Number) });
    expect(first?.request).toMatchObject({ attempts: 1, version: 2 });
    await store.end(endOf(request));
    expect(await store.claim(claimOf(request))).toBeNull();
  });

  it('is not claimed once it is cancelled', async () => {
    const [cancelled, queued] = [newDurableRequest(accountId), newDurableRequest(accountId)];
    await Promise.all([cancelled, queued].map((request) => reader.add(request)));
    await reader.requestCancel(access(accountId), cancelled.ticket.requestId);
    const claimed = await Promise.all([cancelled, queued].map((request) => store.claim(claimOf(request))));
    expect(claimed.map((request) => request !== null)).toEqual([false, true]);
  });

  it('has one end, which may be repeated, with one event; a line of a batch has none', async () => {
    const [request, open, line] = [
      newDurableRequest(accountId),
      newDurableRequest(accountId),
      newDurableRequest(accountId),
    ];
    for (const one of [request, open, line]) await reader.add(one);
    for (const one of [request, open, line]) await store.claim(claimOf(one));
    const end = (text: string) => store.end(endOf(request, { text }));
    expect([await end('first'), await end('first'), await end('second')]).toEqual([true, true, false]);
    expect(await store.end(endOf(line, { isOfBatch: true }))).toBe(true);
    const subjects = [request, open, line].map(({ ticket }) => ticket.requestId);
    expect(await eventsOf(subjects)).toHaveLength(1);
    expect(await find(request)).toMatchObject({ status: 'completed', settlement: { text: 'first' }, version: 3 });
    expect(await find(open)).toMatchObject({ status: 'in_progress' });
  });

  it('that has ended and is not settled keeps its claim, is not removed, and is taken by a sweep when its worker is gone', async () => {
    const request = newDurableRequest(accountId);
    const { requestId } = request.ticket;
    await reader.add(request);
    await store.claim(claimOf(request));
    await store.end(endOf(request));
    expect(await store.renew([claimOf(request)], 30_000)).toEqual([{ requestId, isCancelRequested: false }]);
    await reader.requestCancel(access(accountId), requestId);
    await reader.deleteEnded(access(accountId), requestId);
    expect((await store.expired(100)).map((one) => one.requestId)).not.toContain(requestId);
    await store.renew([claimOf(request)], -1_000);
    const taken = await takeDue(['openai'], 100);
    const own = taken.find((one) => one.request.requestId === requestId);
    expect(own).toMatchObject({ request: { status: 'completed', settlement: { text: 'fine' } } });
    expect(own?.owner).not.toBe('worker');
    expect(await store.renew([claimOf(request)], 30_000)).toEqual([]);
    await store.markSettled(requestId);
    expect(await takeDue(['openai'], 100)).toEqual([]);
    expect((await store.expired(100)).map((one) => one.requestId)).toContain(requestId);
  });

  it('is taken for any vendor when it needs none: to be settled, cancelled, or ended because it is too late', async () => {
    const late = { vendor: 'xai', dueInMs: -1_000 } as const;
    const [ended, cancelled, tooLate, waits] = Array.from({ length: 4 }, () => newDurableRequest(accountId, late));
    if (ended === undefined || cancelled === undefined || tooLate === undefined || waits === undefined)
      throw new Error();
    Object.assign(tooLate.ticket, { deadlineMs: tooLate.ticket.admittedAtMs - 1_000 });
    for (const one of [ended, cancelled, tooLate, waits]) await reader.add(one);
    await store.claim(claimOf(ended));
    await store.end(endOf(ended, { finishedAtMs: Date.now() - 60_000 }));
    const before = await store.backlog();
    expect(before.unsettled).toBeGreaterThanOrEqual(1);
    expect(before.oldestUnsettledSeconds).toBeGreaterThanOrEqual(60);
    await store.renew([claimOf(ended)], -1_000);
    await reader.requestCancel(access(accountId), cancelled.ticket.requestId);
    const due = await takeDue(['openai'], 100);
    const taken = due.map(({ request }) => request.requestId);
    expect(taken.sort()).toEqual([ended, cancelled, tooLate].map(({ ticket }) => ticket.requestId).sort());
    const lateOnes = due.filter(({ isLate }) => isLate).map(({ request }) => request.requestId);
    expect(lateOnes).toEqual([tooLate.ticket.requestId]);
    await store.markSettled(ended.ticket.requestId);
    expect((await store.backlog()).unsettled).toBe(before.unsettled - 1);
    expect((await takeDue(['xai'], 100)).map(({ request }) => request.requestId)).toEqual([waits.ticket.requestId]);
  });

  it.each([-3, 3])('has its whole time from an edge whose clock is wrong by %s hours', async (hours) => {
    const now = Date.now();
    const request = newDurableRequest(accountId, { dueInMs: -1_000 });
    const admittedAtMs = request.createdAtMs + hours * 3_600_000;
    const wrong = { createdAtMs: admittedAtMs, deadlineMs: admittedAtMs + 60_000 };
    Object.assign(request, wrong);
    Object.assign(request.ticket, { admittedAtMs, deadlineMs: wrong.deadlineMs });
    const added = await reader.add(request);
    expect(Math.abs((added?.expiresAtMs ?? 0) - (now + 60_000 + request.defaultRetentionMs))).toBeLessThan(60_000);
    const taken = await takeDue(['openai'], 100);
    expect(taken).toMatchObject([{ request: { requestId: request.ticket.requestId }, owner: null, isLate: false }]);
    expect((await store.claim(claimOf(request)))?.ageMs).toBeLessThan(60_000);
  });

  it('is in the table of open requests until it is settled or deleted', async () => {
    const [settled, deleted, open] = [
      newDurableRequest(accountId),
      newDurableRequest(accountId),
      newDurableRequest(accountId),
    ];
    const requests = [settled, deleted, open];
    for (const one of requests) await reader.add(one);
    const ids = requests.map(({ ticket }) => ticket.requestId);
    const openIds = () => test.database.prisma.$queryRaw`SELECT id FROM open_request WHERE id = ANY (${ids}::text[])`;
    expect(await openIds()).toHaveLength(3);
    await reader.delete(deleted.ticket.requestId);
    await store.claim(claimOf(settled));
    await store.markSettled(settled.ticket.requestId);
    expect(await openIds()).toHaveLength(2);
    await store.end(endOf(settled));
    await store.markSettled(settled.ticket.requestId);
    expect(await openIds()).toEqual([{ id: open.ticket.requestId }]);
  });

  it('is marked without a new entry in any index', async () => {
    const requests = newRequests();
    await Promise.all(requests.map((request) => reader.add(request)));
    await Promise.all(requests.map((request) => store.claim(claimOf(request))));
    await Promise.all(requests.map((request) => store.end(endOf(request))));
    const client = new Client({ connectionString: test.url });
    await client.connect();
    await client.query('BEGIN');
    await markSettled(
      { pool: client as unknown as Database['pool'] },
      requests.map(({ ticket }) => ticket.requestId),
    );
    const { rows } = await client.query(`SELECT n_tup_upd - n_tup_hot_upd AS others, n_tup_upd AS all
      FROM pg_stat_xact_user_tables WHERE relname = 'durable_request'`);
    await client.query('COMMIT');
    await client.end();
    expect(rows).toEqual([{ others: expect.anything(), all: String(COUNT) }]);
    // The rest: a full page has no room for the next version of its last rows.
    expect(Number(rows[0]?.others)).toBeLessThan(COUNT / 2);
  });

  it('keeps its ids in its row, however long that is', async () => {
    const request = newDurableRequest(accountId, { shortBody: randomBytes(2_000) });
    const parts = Array.from({ length: 100 }, () => randomBytes(16).toString('hex'));
    Object.assign(request.ticket, { parts });
    await reader.add(request);
    await store.claim(claimOf(request, 'an owner with a long name'));
    await store.end(endOf(request, { owner: 'an owner with a long name', shortResponse: randomBytes(2_000) }));
    const [row] = await test.database.prisma.$queryRaw<object[]>`
      SELECT num_nonnulls(pg_column_toast_chunk_id(id), pg_column_toast_chunk_id(account_id), pg_column_toast_chunk_id(owner),
          pg_column_toast_chunk_id(endpoint)) AS short, num_nonnulls(pg_column_toast_chunk_id(body),
          pg_column_toast_chunk_id(response_body)) AS contents
      FROM durable_request WHERE id = ${request.ticket.requestId}`;
    expect(row).toEqual({ short: 0, contents: 2 });
  });

  it('of an unknown account is refused', async () => {
    const insert = test.database.prisma.$executeRaw`
      INSERT INTO durable_request (id, account_id, is_test, endpoint, model, vendor, ticket, due_at, created_at, expires_at)
      VALUES ('req_x', 'acct_unknown', false, 'chat.completions', 'm', 'openai', '{}', now(), now(), now())`;
    await expect(insert).rejects.toThrow('a kept request has an unknown account');
  });

  it('is found by its own account and in its own mode', async () => {
    const request = newDurableRequest(accountId);
    await reader.add(request);
    const id = request.ticket.requestId;
    const readers = [access(accountId), access(otherId), { accountId, isTest: true }];
    const found = await Promise.all(readers.map((one) => reader.find(one, id)));
    expect(found.map((one) => one?.requestId)).toEqual([id, undefined, undefined]);
  });
});
