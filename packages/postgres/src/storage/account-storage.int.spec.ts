import { newFileId, newRequestId, type RequestId, responseIdOf } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { storedObjectsIn } from '../objects/open-stored-objects.js';
import { deleteEndedRequest, deleteRequest, findRequest, type NewDurableRequest } from '../requests/find-request.js';
import { type RequestReader, requestReaderIn } from '../requests/open-request-store.js';
import { expiredRequests, removeRequests } from '../requests/sweep-requests.js';
import { responseStateIn } from '../response-state/open-response-state.js';
import type { FinishedResponse } from '../response-state/record-response.js';
import { newDurableRequest } from '../test-support/new-durable-request.js';
import { TestDatabase } from '../test-support/test-database.js';
import { changeRetention, readAccountStorage } from './account-storage.js';

const HOUR_MS = 3_600_000;
const LIMIT = 10_000;

let test: TestDatabase;
let requests: RequestReader;

beforeAll(async () => {
  test = await TestDatabase.openFor('services');
  requests = requestReaderIn(test.database);
});

afterAll(() => test.close());

const newRequest = (accountId: string, more: Partial<NewDurableRequest> = {}): NewDurableRequest =>
  newDurableRequest(accountId, { defaultRetentionMs: 24 * HOUR_MS, bytes: 1_000, limitBytes: LIMIT, ...more });

const turn = (accountId: string, id = responseIdOf(newRequestId())): FinishedResponse => ({
  ...{ id, accountId, keyId: 'key_a', isTest: false, model: 'gp-5.4', status: 'completed', previousId: null },
  input: 'i'.repeat(40),
  response: 'r'.repeat(60),
  outputItemIds: [],
});

/** As a worker ends it, with a response of so many bytes. */
const end = (id: string, bytes: number) => test.database.prisma.$executeRaw`
  UPDATE durable_request SET status = 'completed', finished_at = clock_timestamp(), settled_at = clock_timestamp(), bytes = bytes + ${bytes}::bigint
  WHERE id = ${id}`;

const useOf = async (accountId: string) => {
  const use = await readAccountStorage(test.database, accountId);
  return use && [use.fileBytes, use.requestBytes, use.responseBytes];
};
const reader = (accountId: string) => ({ accountId, isTest: false });

describe('what an account keeps', () => {
  it('is counted by every statement that adds, changes or removes a request', async () => {
    const [accountId, otherId] = [await test.account(), await test.account()];
    const [kept, discarded] = [newRequest(accountId), newRequest(accountId)];
    for (const request of [kept, discarded, newRequest(otherId)]) await requests.add(request);
    expect([await useOf(accountId), await useOf(otherId)]).toEqual([
      [0, 2_000, 0],
      [0, 1_000, 0],
    ]);
    await deleteRequest(test.database, discarded.ticket.requestId);
    await end(kept.ticket.requestId, 500);
    expect(await useOf(accountId)).toEqual([0, 1_500, 0]);
    await deleteEndedRequest(test.database, reader(accountId), kept.ticket.requestId);
    const expired = await expiredRequests(test.database, 10);
    expect(expired.map(({ requestId }) => requestId)).toEqual([kept.ticket.requestId]);
    await removeRequests(test.database, [kept.ticket.requestId]);
    expect([await useOf(accountId), await useOf(otherId)]).toEqual([
      [0, 0, 0],
      [0, 1_000, 0],
    ]);
  });

  it('is counted for responses and conversations', async () => {
    const accountId = await test.account();
    const { responses, conversations } = responseStateIn(test.database);
    const stored = turn(accountId);
    await responses.record(stored);
    await responses.record(stored);
    expect(await useOf(accountId)).toEqual([0, 0, 100]);
    const limits = { maxConversations: 10, maxBytes: LIMIT };
    const id = 'conv_of_storage' as Parameters<typeof conversations.create>[0]['id'];
    const items = [{ id: 'item_a', json: '{"a":1}' }];
    await conversations.create({ id, accountId, isTest: false, metadata: {}, items }, limits);
    expect(await useOf(accountId)).toEqual([0, 0, 107]);
    await conversations.deleteItem(id, 'item_a');
    await responses.delete({ accountId, onlyTest: false }, stored.id);
    expect(await useOf(accountId)).toEqual([0, 0, 0]);
  });

  it('limits files and requests together', async () => {
    const accountId = await test.account();
    const objects = storedObjectsIn(test.database);
    expect(await requests.add(newRequest(accountId, { bytes: 6_000 }))).not.toBeNull();
    const file = { id: newFileId(), accountId, keyId: 'key_a', isTest: false, purpose: 'user_data' } as const;
    const object = { ...file, filename: 'a', contentType: 'text/plain', sha256: 'ab', expiresInMs: null };
    expect(await objects.reserve({ ...object, bytes: 5_000 }, { bytes: LIMIT, objects: 5 })).toBe(false);
    expect(await objects.reserve({ ...object, bytes: 4_000 }, { bytes: LIMIT, objects: 5 })).toBe(true);
    const refused = newRequest(accountId, { bytes: 1 });
    const queuedResponse = turn(accountId, responseIdOf(refused.ticket.requestId as RequestId));
    expect(await requests.add({ ...refused, queuedResponse })).toBeNull();
    expect(await useOf(accountId)).toEqual([4_000, 6_000, 0]);
    const fullAt = (most: number, mostWithoutCredit = 2 * LIMIT) => objects.fullAccounts({ most, mostWithoutCredit });
    expect(await fullAt(LIMIT)).toEqual(new Set([accountId]));
    expect(await fullAt(LIMIT + 1)).toEqual(new Set());
    const funded = await test.account(1n);
    expect(await requests.add(newRequest(funded, { bytes: LIMIT }))).not.toBeNull();
    expect(await fullAt(2 * LIMIT, LIMIT)).toEqual(new Set([accountId]));
  });
});

describe('how long results stay', () => {
  it('is decided by the request, then by its account, then by the deployment', async () => {
    const accountId = await test.account();
    const keptFor = async (retentionMs?: number) => {
      const request = newRequest(accountId, { retentionMs });
      const added = await requests.add(request);
      return (added?.expiresAtMs ?? 0) - request.deadlineMs;
    };
    expect(await keptFor()).toBe(24 * HOUR_MS);
    await changeRetention(test.database, accountId, { resultRetentionHours: 2, mediaRetentionDays: 3 });
    expect([await keptFor(), await keptFor(60_000)]).toEqual([2 * HOUR_MS, 60_000]);
    expect(await readAccountStorage(test.database, accountId)).toMatchObject({ mediaRetentionDays: 3 });
  });

  it('hides a deleted request at once, from its account only when it has ended', async () => {
    const [accountId, otherId] = [await test.account(), await test.account()];
    const request = newRequest(accountId);
    const { requestId } = request.ticket;
    await requests.add(request);
    const remove = (id: string) => deleteEndedRequest(test.database, reader(id), requestId);
    expect(await remove(accountId)).toBe(false);
    await end(requestId, 0);
    expect([await remove(otherId), await remove(accountId), await remove(accountId)]).toEqual([false, true, false]);
    expect(await findRequest(test.database, reader(accountId), requestId)).toBeNull();
  });

  it('lets no fetch complete a result that was deleted meanwhile', async () => {
    const accountId = await test.account();
    const objects = storedObjectsIn(test.database);
    const id = newFileId();
    await test.database.prisma.$executeRawUnsafe(`
      INSERT INTO fetched_result (file_id, task_id, part, account_id, key_id, is_test, source_url, source_expires_at)
      VALUES ('${id}', 'task_a', 'video', '${accountId}', 'key_a', false, 'https://a.example', now() + interval '1 hour')`);
    await objects.reserve(
      {
        ...{ id, accountId, keyId: 'key_a', isTest: false, purpose: 'generation', filename: 'a.mp4' },
        ...{ contentType: 'video/mp4', bytes: 5, sha256: 'ab', expiresInMs: 1_000 },
      },
      { bytes: LIMIT, objects: 5 },
    );
    expect(await objects.deleteResults(reader(await test.account()), 'task_a')).toBe(0);
    expect(await objects.deleteResults(reader(accountId), 'task_a')).toBe(1);
    expect(await objects.deleteResults(reader(accountId), 'task_a')).toBe(0);
    expect(await objects.complete(id)).toBeNull();
    expect(await objects.findSource(null, id)).toBeNull();
    expect(await useOf(accountId)).toEqual([0, 0, 0]);
  });
});
