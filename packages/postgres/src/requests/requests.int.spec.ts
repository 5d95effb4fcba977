import { requestObjects, type UsageSettled } from '@gateway/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newDurableRequest } from '../test-support/new-durable-request.js';
import { TestDatabase } from '../test-support/test-database.js';
import type { NewClaim } from './claim-request.js';
import type { FinishedRequest, RequestDecision } from './end-request.js';
import type { NewDurableRequest } from './find-request.js';
import { type RequestReader, type RequestStore, requestReaderIn, requestStoreIn } from './open-request-store.js';

jest.setTimeout(60_000);

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

const endOf = ({ ticket }: NewDurableRequest, more: Partial<FinishedRequest> = {}): FinishedRequest => ({
  requestId: ticket.requestId,
  accountId: ticket.accountId,
  status: 'completed',
  finishedAtMs: Date.now(),
  record: { id: ticket.requestId } as unknown as FinishedRequest['record'],
  isOfBatch: false,
  ...more,
});

const access = (ofAccount: string) => ({ accountId: ofAccount, isTest: false });

const find = ({ ticket }: NewDurableRequest) => reader.find(access(ticket.accountId), ticket.requestId);

const eventsOf = (subjects: readonly string[]) => test.database.prisma.$queryRaw<object[]>`
  SELECT account_id, type, subject, data FROM account_event WHERE subject = ANY (${[...subjects]}::text[]) ORDER BY id`;

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

    const decided = await Promise.all(
      requests.map((request, number) =>
        store.decide(claimOf(request, `o${number}`), decisionOf(request, `n${number}`)),
      ),
    );
    expect(new Set(decided)).toEqual(new Set([true]));
    const finished = await Promise.all(requests.map((request) => store.finish(endOf(request))));
    expect(new Set(finished)).toEqual(new Set([true]));

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
      while (!isOver.signal.aborted) await store.takeDue(['openai'], 50);
    })();
    const other = requestStoreIn(test.database);
    const live = async (request: NewDurableRequest, number: number) => {
      const worker = number % 3 === 0 ? other : store;
      await worker.claim(claimOf(request));
      await worker.decide(claimOf(request), decisionOf(request));
      if (number % 5 === 0) await reader.requestCancel(access(request.ticket.accountId), request.ticket.requestId);
      return worker.finish(endOf(request));
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
    expect(await store.decide(claimOf(request), decisionOf(request, 'a\u0000b\ud800'))).toBe(true);
    expect(await find(request)).toMatchObject({ settlement: { text: 'a\uFFFDb\uFFFD' } });
  });

  it('has its short contents in its row, and nothing in the store', async () => {
    // No text: each byte must come back.
    const bytes = Buffer.from(Array.from({ length: 4_096 }, (_, index) => index % 256));
    const [inRow, inStore] = [newDurableRequest(accountId, { shortBody: bytes }), newDurableRequest(accountId)];
    await Promise.all([inRow, inStore].map((request) => reader.add(request)));
    const claimed = await Promise.all([inRow, inStore].map((request) => store.claim(claimOf(request))));
    expect(claimed.map((one) => one?.body)).toEqual([bytes, null]);
    await Promise.all([
      store.decide(claimOf(inRow), { ...decisionOf(inRow), shortResponse: bytes.subarray(7, 300) }),
      store.decide(claimOf(inStore), decisionOf(inStore)),
    ]);
    await Promise.all([inRow, inStore].map((request) => store.finish(endOf(request))));
    const found = await Promise.all([inRow, inStore].map(find));
    expect(found.map((request) => request?.shortResponse)).toEqual([bytes.subarray(7, 300), undefined]);
    await Promise.all([inRow, inStore].map(({ ticket }) => reader.deleteEnded(access(accountId), ticket.requestId)));
    const objects = new Map((await store.expired(100)).map((request) => [request.requestId, request.objects]));
    expect(objects.get(inRow.ticket.requestId)).toEqual([]);
    expect(objects.get(inStore.ticket.requestId)).toEqual(
      Object.values(requestObjects(inStore.ticket.requestId)),
    );
  });

  it('leaves the store without a response of an earlier run', async () => {
    const request = newDurableRequest(accountId, { shortBody: Buffer.from('{}') });
    await reader.add(request);
    await store.claim(claimOf(request, 'first'));
    await store.return(claimOf(request, 'first'), 0);
    await store.claim(claimOf(request));
    await store.decide(claimOf(request), { ...decisionOf(request), shortResponse: Buffer.from('short') });
    await store.finish(endOf(request));
    const { requestId } = request.ticket;
    await reader.deleteEnded(access(accountId), requestId);
    const expired = (await store.expired(100)).find((one) => one.requestId === requestId);
    expect(expired?.objects).toEqual([requestObjects(requestId).response]);
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
    const decided = await Promise.all(claims.map((claim) => store.decide(claim, decisionOf(request))));
    expect(decided.map((isDecided, number) => isDecided === (number === won))).toEqual([true, true, true]);
  });

  it('is not claimed once it is cancelled', async () => {
    const [cancelled, queued] = [newDurableRequest(accountId), newDurableRequest(accountId)];
    await Promise.all([cancelled, queued].map((request) => reader.add(request)));
    await reader.requestCancel(access(accountId), cancelled.ticket.requestId);
    const claimed = await Promise.all([cancelled, queued].map((request) => store.claim(claimOf(request))));
    expect(claimed.map((request) => request !== null)).toEqual([false, true]);
  });

  it('has one decision, which may be repeated', async () => {
    const request = newDurableRequest(accountId);
    await reader.add(request);
    await store.claim(claimOf(request));
    const decide = (text: string) => store.decide(claimOf(request), decisionOf(request, text));
    expect(await Promise.all([decide('first'), decide('first')])).toEqual([true, true]);
    expect(await decide('first')).toBe(true);
    expect(await decide('second')).toBe(false);
    expect(await find(request)).toMatchObject({ settlement: { text: 'first' } });
  });

  it('ends once, decided and with one event; a line of a batch without any', async () => {
    const [decided, open, line] = [
      newDurableRequest(accountId),
      newDurableRequest(accountId),
      newDurableRequest(accountId),
    ];
    for (const request of [decided, open, line]) await reader.add(request);
    for (const request of [decided, open, line]) await store.claim(claimOf(request));
    for (const request of [decided, line]) await store.decide(claimOf(request), decisionOf(request));
    const ends = [endOf(decided), endOf(decided), endOf(open), endOf(line, { isOfBatch: true })];
    const finished = await Promise.all(ends.map((end) => store.finish(end)));
    expect(finished.slice(0, 2).filter(Boolean)).toHaveLength(1);
    expect(finished.slice(2)).toEqual([false, true]);
    const subjects = [decided, open, line].map(({ ticket }) => ticket.requestId);
    expect(await eventsOf(subjects)).toHaveLength(1);
    expect(await find(open)).toMatchObject({ status: 'in_progress' });
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
