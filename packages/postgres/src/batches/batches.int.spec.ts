import { type Batch, newBatchId } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type StoredObjects, storedObjectsIn } from '../objects/open-stored-objects.js';
import { TestDatabase } from '../test-support/test-database.js';
import type { ClaimedBatch } from './claim-batch.js';
import type { BatchAccess, NewBatch } from './find-batch.js';
import { type BatchReader, type BatchStore, batchReaderIn, batchStoreIn } from './open-batches.js';

const LEASE_MS = 60_000;

let test: TestDatabase;
let reader: BatchReader;
let store: BatchStore;
let objects: StoredObjects;

beforeAll(async () => {
  test = await TestDatabase.openFor('services');
  reader = batchReaderIn(test.database);
  store = batchStoreIn(test.database);
  objects = storedObjectsIn(test.database);
});

afterAll(() => test.close());

const access = (accountId: string, more: Partial<BatchAccess> = {}): BatchAccess => ({
  accountId,
  isTest: false,
  format: 'openai',
  ...more,
});

async function add(accountId: string, more: Partial<NewBatch> = {}): Promise<Batch> {
  const { id: keyId } = await test.key(accountId);
  const added = await reader.add({
    ...{ id: newBatchId('batch'), accountId, keyId, isTest: false, format: 'openai', endpoint: 'embeddings' },
    ...{ inputObject: 'files/a', inputFileId: 'file-a', metadata: { a: 'b' }, budgetNanoUsd: 5n },
    ...{ outputSeconds: 60, windowMs: 60_000, total: undefined },
    ...more,
  });
  if (added === null) throw new Error('the account has too many batches');
  return added;
}

/** Takes every batch that is due, so that a test finds only its own. */
async function claimAll(): Promise<readonly ClaimedBatch[]> {
  const claimed: ClaimedBatch[] = [];
  for (let next = await store.claim('o', LEASE_MS); next !== null; next = await store.claim('o', LEASE_MS)) {
    claimed.push(next);
  }
  return claimed;
}

async function claimed(accountId: string): Promise<ClaimedBatch> {
  const batch = await add(accountId);
  const found = (await claimAll()).find((one) => one.batch.id === batch.id);
  if (found === undefined) throw new Error('the batch was not claimed');
  return found;
}

/** Their writer has died. */
const makeDue = (keys: readonly string[]) => test.database.prisma.$executeRaw`
  UPDATE pending_object SET due_at = now() - interval '1 second' WHERE key = ANY (${[...keys]}::text[])`;

const counts = { completed: 2, failed: 0, expired: 0, cancelled: 0 };
const segment = (number: number, lines: number[]) => ({
  number,
  isError: false,
  object: `o${number}`,
  bytes: 7,
  lines,
});

describe('a batch', () => {
  it('is seen by its account, its mode and its format only', async () => {
    const accountId = await test.account();
    const batch = await add(accountId);
    expect(batch).toMatchObject({ status: 'validating', budgetNanoUsd: 5n, costNanoUsd: 0n, metadata: { a: 'b' } });
    expect(await reader.find(access(accountId), batch.id)).toEqual(batch);
    const others = [
      access(await test.account()),
      access(accountId, { isTest: true }),
      access(accountId, { format: 'anthropic' }),
    ];
    for (const other of others) {
      expect(await reader.find(other, batch.id)).toBeNull();
      expect(await reader.cancel(other, batch.id)).toBeNull();
      expect(await reader.delete(other, batch.id)).toBe(false);
      expect(await reader.list(other, { limit: 9 })).toEqual([]);
    }
  });

  it('is seen by readers of its endpoint only, and with a list of models if its key may use no others', async () => {
    const accountId = await test.account();
    const { id: keyId } = await test.key(accountId, null, { models: ['a', 'b'] });
    const { id } = await add(accountId, { keyId });
    const seen = access(accountId, { endpoints: ['embeddings', 'responses'], models: ['a', 'b', 'c'] });
    expect(await reader.find(seen, id)).toMatchObject({ id });
    expect(await reader.isCursor(seen, id)).toBe(true);
    const { id: anyModel } = await add(accountId);
    expect(await reader.find(access(accountId, { models: ['a'] }), anyModel)).toBeNull();
    for (const other of [
      access(accountId, { endpoints: ['responses'] }),
      access(accountId, { endpoints: [] }),
      access(accountId, { models: ['a'] }),
    ]) {
      expect(await reader.find(other, id)).toBeNull();
      expect(await reader.list(other, { limit: 9 })).toEqual([]);
      expect(await reader.isCursor(other, id)).toBe(false);
      expect(await reader.cancel(other, id)).toBeNull();
      expect(await reader.delete(other, id)).toBe(false);
    }
    expect(await reader.cancel(seen, id)).toMatchObject({ id });
  });

  it('is listed by pages, the newest first', async () => {
    const accountId = await test.account();
    const added: string[] = [];
    for (let count = 0; count < 4; count += 1) added.unshift((await add(accountId)).id);
    const list = async (page: object) =>
      (await reader.list(access(accountId), { limit: 2, ...page })).map(({ id }) => added.indexOf(id));
    expect(await list({})).toEqual([0, 1]);
    expect(await list({ after: added[1] })).toEqual([2, 3]);
    expect(await list({ before: added[3] })).toEqual([1, 2]);
    expect(await list({ after: 'batch_of_another' })).toEqual([]);
  });

  it('is a cursor for its account, its mode and its format only, also after it is deleted', async () => {
    const accountId = await test.account();
    const { id } = await add(accountId);
    await test.database.prisma.$executeRaw`UPDATE batch SET finished_at = now() WHERE id = ${id}`;
    expect(await reader.isCursor(access(accountId), id)).toBe(true);
    expect(await reader.delete(access(accountId), id)).toBe(true);
    expect(await reader.isCursor(access(accountId), id)).toBe(true);
    expect(await reader.isCursor(access(await test.account()), id)).toBe(false);
    expect(await reader.isCursor(access(accountId, { isTest: true }), id)).toBe(false);
    expect(await reader.isCursor(access(accountId, { format: 'anthropic' }), id)).toBe(false);
  });

  it('is listed by pages while the batches of each page are deleted', async () => {
    const accountId = await test.account();
    const added: string[] = [];
    for (let count = 0; count < 3; count += 1) added.unshift((await add(accountId)).id);
    await test.database.prisma.$executeRaw`UPDATE batch SET finished_at = now() WHERE account_id = ${accountId}`;
    const listed: string[] = [];
    for (let after: string | undefined; listed.length < added.length; after = listed.at(-1)) {
      const [batch] = await reader.list(access(accountId), { limit: 1, after });
      if (batch === undefined) break;
      listed.push(batch.id);
      expect(await reader.delete(access(accountId), batch.id)).toBe(true);
    }
    expect(listed).toEqual(added);
  });

  it('is added once for each id, also by requests that come at once', async () => {
    const accountId = await test.account();
    const id = newBatchId('batch');
    const added = await Promise.allSettled(Array.from({ length: 4 }, () => add(accountId, { id })));
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await reader.find(access(accountId), id)).toMatchObject({ id, metadata: { a: 'b' } });
  });

  it('is refused beyond what an account may have open', async () => {
    const accountId = await test.account();
    const { id: keyId } = await test.key(accountId);
    await test.database.prisma.$executeRaw`
      INSERT INTO batch (id, account_id, is_test, key_id, format, endpoint, status, input_object, output_seconds, window_ends_at, due_at)
      SELECT 'many_' || number, ${accountId}, false, ${keyId}, 'openai', 'embeddings', 'validating', 'x', 1, now(), 'infinity'
      FROM generate_series(1, 200) AS number`;
    await expect(add(accountId)).rejects.toThrow('too many batches');
  });
});

describe('the own lines of a batch', () => {
  it('are swept unless the batch was added', async () => {
    const accountId = await test.account();
    for (const object of ['batches/added', 'batches/lost']) await reader.announce(object);
    await add(accountId, { format: 'anthropic', inputFileId: null, inputObject: 'batches/added', total: 1 });
    await makeDue(['batches/added', 'batches/lost']);
    expect(await objects.takePending(10)).toEqual(['batches/lost']);
    expect(await objects.removePending(['batches/lost'])).toBe(1);
  });
});

describe('a claim', () => {
  it('belongs to one worker, and goes by turns of the accounts, at most four of one', async () => {
    await claimAll();
    const [busy, other] = [await test.account(), await test.account()];
    const ofBusy: string[] = [];
    for (let count = 0; count < 6; count += 1) ofBusy.push((await add(busy)).id);
    const ofOther = (await add(other)).id;
    const order = (await claimAll()).map(({ batch }) => batch.id);
    expect(order).toEqual([ofBusy[0], ofOther, ...ofBusy.slice(1, 4)]);
  });

  it('ends with its lease: the older worker changes nothing any more', async () => {
    const { batch, claim } = await claimed(await test.account());
    expect(await store.renew(claim, -1)).toMatchObject({ id: batch.id });
    const next = await store.claim('next', LEASE_MS);
    expect(next?.batch.id).toBe(batch.id);
    expect(await store.renew(claim, LEASE_MS)).toBeNull();
    expect(await store.begin(claim, 3)).toBe(false);
    expect(await store.beginLines(claim, 3)).toBe(false);
    expect(await store.record(claim, { segments: [segment(0, [1])], counts, costNanoUsd: 1n })).toBe(false);
    expect(await store.finalize(claim)).toBe(false);
    const end = {
      status: 'completed',
      errors: null,
      outputFileId: null,
      errorFileId: null,
      finishedAtMs: 1,
      record: {},
    } as const;
    expect(await store.finish(claim, end)).toBe(false);
    expect((await store.progress(batch.id)).lines).toEqual([]);
  });

  it('that is given back is due after its time, and says what it waits for', async () => {
    const accountId = await test.account();
    const { batch, claim } = await claimed(accountId);
    expect(await store.return(claim, { dueInMs: 60_000, waitsFor: 'credit' })).toBe(true);
    expect(await reader.find(access(accountId), batch.id)).toMatchObject({ waitsFor: 'credit' });
    expect(await store.claim('next', LEASE_MS)).toBeNull();
    expect((await store.backlog()).waitingForCredit).toBe(1);
    await reader.cancel(access(accountId), batch.id);
    // No worker has it, so the next one ends it at once.
    expect((await store.claim('next', LEASE_MS))?.batch.id).toBe(batch.id);
  });
});

describe('ended lines', () => {
  it('are recorded and counted once, however often', async () => {
    const accountId = await test.account();
    const { batch, claim } = await claimed(accountId);
    expect(await store.begin(claim, 4)).toBe(true);
    expect(await store.beginLines(claim, 64)).toBe(true);
    const recorded = { segments: [segment(0, [1, 3])], counts, costNanoUsd: 9n };
    await store.announce(['o0']);
    for (let time = 0; time < 3; time += 1) expect(await store.record(claim, recorded)).toBe(true);
    expect(await store.progress(batch.id)).toEqual({ lines: [1, 3], nextSegment: 1, begunThrough: 64 });
    const found = await reader.find(access(accountId), batch.id);
    expect(found).toMatchObject({ total: 4, counts, costNanoUsd: 9n, status: 'in_progress' });
    expect(await reader.segments(batch.id)).toEqual([{ number: 0, isError: false, object: 'o0', bytes: 7 }]);
  });

  it('are recorded only with announced objects that no sweep deletes', async () => {
    const accountId = await test.account();
    const { batch, claim } = await claimed(accountId);
    const recorded = (...objects: string[]) => ({
      segments: objects.map((object, number) => ({ ...segment(number, [number]), object })),
      counts,
      costNanoUsd: 9n,
    });
    await expect(store.record(claim, recorded('unannounced'))).rejects.toThrow('not announced');
    await store.announce(['late', 'in time', 'again']);
    await makeDue(['late']);
    expect(await objects.takePending(10)).toEqual(['late']);
    await expect(store.record(claim, recorded('in time', 'late'))).rejects.toThrow('a sweep deletes them');
    expect(await reader.find(access(accountId), batch.id)).toMatchObject({ costNanoUsd: 0n });
    expect(await store.record(claim, recorded('in time', 'again'))).toBe(true);
    await makeDue(['late', 'in time', 'again']);
    expect(await objects.takePending(10)).toEqual(['late']);
    expect(await objects.removePending(['late', 'in time'])).toBe(1);
  });

  it('of an attempt whose reply was lost leave the objects of the next one to a sweep', async () => {
    const { batch, claim } = await claimed(await test.account());
    const recorded = (object: string) => ({ segments: [{ ...segment(0, [1]), object }], counts, costNanoUsd: 0n });
    await store.announce(['first', 'second']);
    expect(await store.record(claim, recorded('first'))).toBe(true);
    expect(await store.record(claim, recorded('second'))).toBe(true);
    expect(await reader.segments(batch.id)).toMatchObject([{ object: 'first' }]);
    await makeDue(['first', 'second']);
    expect(await objects.takePending(10)).toEqual(['second']);
  });

  it('keep why a batch will fail, until it has ended', async () => {
    const accountId = await test.account();
    const { batch, claim } = await claimed(accountId);
    await store.begin(claim, 1);
    const errors = [{ code: 'invalid_api_key', message: 'It is refused.', line: null, param: null }];
    expect(await store.recordErrors({ ...claim, owner: 'another' }, errors)).toBe(false);
    expect(await store.recordErrors(claim, errors)).toBe(true);
    expect(await reader.find(access(accountId), batch.id)).toMatchObject({ status: 'in_progress', errors });
    await store.finalize(claim);
    const end = { status: 'failed', errors, outputFileId: null, errorFileId: null } as const;
    await store.finish(claim, { ...end, finishedAtMs: Date.now(), record: {} });
    expect(await store.recordErrors(claim, errors)).toBe(false);
  });

  it('end their batch with one event, and are removed after their time', async () => {
    const accountId = await test.account();
    const { batch, claim } = await claimed(accountId);
    await store.begin(claim, 1);
    await store.announce(['o0']);
    await store.record(claim, { segments: [segment(0, [1])], counts, costNanoUsd: 0n });
    expect(await store.finalize(claim)).toBe(true);
    const ended = { status: 'completed', errors: null, outputFileId: 'file-o', errorFileId: null } as const;
    const end = { ...ended, finishedAtMs: Date.now(), record: { id: batch.id } };
    expect(await store.finish(claim, end)).toBe(true);
    expect(await store.finish(claim, end)).toBe(false);
    expect(await reader.find(access(accountId), batch.id)).toMatchObject(ended);
    const events = await test.database.prisma.$queryRaw`
      SELECT type, data FROM account_event WHERE account_id = ${accountId}`;
    expect(events).toEqual([{ type: 'batch.completed', data: { id: batch.id } }]);
    const expired = (await store.expired(50)).filter(({ id }) => id === batch.id);
    // The input is the customer's own file.
    expect(expired).toMatchObject([{ objects: ['o0'] }]);
    await store.removeResults([batch.id]);
    expect(await reader.segments(batch.id)).toEqual([]);
    expect((await store.expired(50)).map(({ id }) => id)).not.toContain(batch.id);
  });

  it("keeps results in Anthropic's format until their time is over or their batch is deleted", async () => {
    const accountId = await test.account();
    const format = 'anthropic';
    const added = { format, inputFileId: null, inputObject: 'batches/i', total: 1 } as const;
    const end = { status: 'completed', errors: null, outputFileId: null, errorFileId: null, record: {} } as const;
    const finishAt = async (id: string, finishedAtMs: number) => {
      const [found] = (await claimAll()).filter(({ batch }) => batch.id === id);
      if (found === undefined) throw new Error('not claimed');
      expect(found.batch).toMatchObject({ status: 'in_progress', total: 1 });
      expect(await reader.delete(access(accountId, { format }), id)).toBe(false);
      await store.finish(found.claim, { ...end, finishedAtMs });
    };
    const expired = async (id: string) => (await store.expired(50)).find((one) => one.id === id);
    const { id } = await add(accountId, added);
    await finishAt(id, Date.now());
    expect(await expired(id)).toBeUndefined();
    expect(await reader.delete(access(accountId, { format }), id)).toBe(true);
    expect(await reader.find(access(accountId, { format }), id)).toBeNull();
    expect(await expired(id)).toMatchObject({ objects: ['batches/i'], isDeleted: true });
    const old = await add(accountId, added);
    await finishAt(old.id, Date.now() - 60 * 86_400_000);
    expect(await expired(old.id)).toMatchObject({ objects: ['batches/i'], isDeleted: false });
    await store.removeResults([old.id]);
    expect(await expired(old.id)).toBeUndefined();
    expect(await reader.find(access(accountId, { format }), old.id)).toMatchObject({ status: 'completed' });
  });
});
