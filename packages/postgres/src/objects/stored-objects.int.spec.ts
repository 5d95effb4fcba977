import { type FileId, newFileId } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KeyLimits } from '../keys/of-keys-with.js';
import { TestDatabase } from '../test-support/test-database.js';
import { type StoredObjects, storedObjectsIn } from './open-stored-objects.js';
import type { NewObject } from './reserve-object.js';

const LIMITS = { bytes: 1_000, objects: 10 };

let test: TestDatabase;
let objects: StoredObjects;

beforeAll(async () => {
  test = await TestDatabase.openFor('services');
  objects = storedObjectsIn(test.database);
});

afterAll(() => test.close());

const newObject = (accountId: string, more: Partial<NewObject> = {}): NewObject => ({
  id: newFileId(),
  accountId,
  keyId: 'key_a',
  isTest: false,
  purpose: 'user_data',
  filename: 'a.txt',
  contentType: 'text/plain',
  bytes: 100,
  sha256: 'ab',
  expiresInMs: null,
  ...more,
});

async function store(accountId: string, more: Partial<NewObject> = {}): Promise<FileId> {
  const object = newObject(accountId, more);
  if (!(await objects.reserve(object, LIMITS))) throw new Error('the account has reached a limit');
  await objects.complete(object.id);
  return object.id;
}

async function useOf(accountId: string) {
  const [row] = await test.database.prisma.$queryRaw<{ bytes: bigint; objects: bigint }[]>`
    SELECT bytes, objects FROM store_use WHERE account_id = ${accountId}`;
  return { bytes: Number(row?.bytes ?? 0), objects: Number(row?.objects ?? 0) };
}

const expire = (id: string) => test.database.prisma.$executeRaw`
  UPDATE stored_object SET expires_at = clock_timestamp() - interval '1 second',
    due_at = clock_timestamp() - interval '1 second' WHERE id = ${id}`;

const reader = (accountId: string, isTest = false) => ({ accountId, isTest });

describe('an object', () => {
  it('is seen by its account once it is complete', async () => {
    const accountId = await test.account();
    const object = newObject(accountId, { expiresInMs: 60_000 });
    expect(await objects.reserve(object, LIMITS)).toBe(true);
    expect(await objects.find(reader(accountId), object.id)).toBeNull();
    expect(await objects.list(reader(accountId), { limit: 5, order: 'desc' })).toEqual([]);
    expect(await objects.complete(object.id)).toMatchObject({ id: object.id, bytes: 100, filename: 'a.txt' });
    const found = await objects.find(reader(accountId), object.id);
    expect((found?.expiresAtMs ?? 0) - (found?.createdAtMs ?? 0)).toBeCloseTo(60_000, -2);
    expect(await objects.findAs(null, object.id)).toEqual(found);
  });

  it('is discarded once, while it is written: its id may be reserved again', async () => {
    const accountId = await test.account();
    const object = newObject(accountId);
    await objects.reserve(object, LIMITS);
    await Promise.all([objects.discard(object.id), objects.discard(object.id)]);
    expect(await useOf(accountId)).toEqual({ bytes: 0, objects: 0 });
    expect(await objects.reserve({ ...object, bytes: 200 }, LIMITS)).toBe(true);
    expect(await objects.complete(object.id)).toMatchObject({ bytes: 200 });
    await objects.discard(object.id);
    expect(await objects.findAs(null, object.id)).toMatchObject({ bytes: 200 });
    expect(await useOf(accountId)).toEqual({ bytes: 200, objects: 1 });
  });

  it('is hidden from another account and from the other mode', async () => {
    const [accountId, otherId] = [await test.account(), await test.account()];
    const id = await store(accountId);
    for (const stranger of [reader(otherId), reader(accountId, true)]) {
      expect(await objects.find(stranger, id)).toBeNull();
      expect(await objects.list(stranger, { limit: 5, order: 'desc' })).toEqual([]);
      expect(await objects.list(stranger, { limit: 5, order: 'desc', after: id })).toBeNull();
      expect(await objects.delete(stranger, id)).toBe(false);
    }
    expect(await objects.find(reader(accountId), id)).not.toBeNull();
  });

  it('that expired, was deleted or was never written is hidden, and uncounted once', async () => {
    const accountId = await test.account();
    const [expired, deleted] = [await store(accountId), await store(accountId)];
    const lost = newObject(accountId);
    await objects.reserve(lost, LIMITS);
    expect(await useOf(accountId)).toEqual({ bytes: 300, objects: 3 });
    await Promise.all([expire(expired), expire(lost.id)]);
    expect(await objects.find(reader(accountId), expired)).toBeNull();
    expect(await objects.delete(reader(accountId), expired)).toBe(false);
    expect(await Promise.all([1, 2].map(() => objects.delete(reader(accountId), deleted)))).toContain(false);
    expect(await useOf(accountId)).toEqual({ bytes: 200, objects: 2 });
    expect(await objects.hideExpired(10)).toBe(2);
    expect(await objects.hideExpired(10)).toBe(0);
    expect(await useOf(accountId)).toEqual({ bytes: 0, objects: 0 });
    expect(await objects.complete(lost.id)).toBeNull();
    const hidden = await objects.hidden(10);
    expect(new Set(hidden)).toEqual(new Set([expired, deleted, lost.id]));
    expect(await objects.remove(hidden)).toBe(3);
    expect(await objects.hidden(10)).toEqual([]);
  });

  it('whose bytes could not be written is uncounted', async () => {
    const accountId = await test.account();
    const object = newObject(accountId);
    await objects.reserve(object, LIMITS);
    await Promise.all([objects.release(object.id), objects.release(object.id)]);
    expect(await useOf(accountId)).toEqual({ bytes: 0, objects: 0 });
    const ready = await store(accountId);
    await objects.release(ready);
    expect(await objects.find(reader(accountId), ready)).not.toBeNull();
  });
});

describe('the limits of an account', () => {
  it('hold exactly under parallel writers', async () => {
    const accountId = await test.account();
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () => objects.reserve(newObject(accountId, { bytes: 150 }), LIMITS)),
    );
    expect(outcomes.filter(Boolean)).toHaveLength(6);
    expect(await useOf(accountId)).toEqual({ bytes: 900, objects: 6 });
    expect(await objects.reserve(newObject(accountId, { bytes: 100 }), LIMITS)).toBe(true);
    expect(await objects.reserve(newObject(accountId, { bytes: 1 }), LIMITS)).toBe(false);
  });

  it('count objects too, and refuse a first one that is too large', async () => {
    const accountId = await test.account();
    expect(await objects.reserve(newObject(accountId, { bytes: 1_001 }), LIMITS)).toBe(false);
    const outcomes = await Promise.all(
      Array.from({ length: 15 }, () => objects.reserve(newObject(accountId, { bytes: 1 }), LIMITS)),
    );
    expect(outcomes.filter(Boolean)).toHaveLength(LIMITS.objects);
  });
});

describe('a list', () => {
  it('has every object once over all pages, in both orders, by purpose', async () => {
    const accountId = await test.account();
    const ids: FileId[] = [];
    for (const purpose of ['batch', 'vision', 'batch', 'batch', 'vision'] as const) {
      ids.push(await store(accountId, { purpose, bytes: 1 }));
    }
    for (const order of ['asc', 'desc'] as const) {
      const seen: FileId[] = [];
      for (;;) {
        const page = await objects.list(reader(accountId), { limit: 2, order, after: seen.at(-1) });
        if (page === null || page.length === 0) break;
        seen.push(...page.map(({ id }) => id));
      }
      expect(new Set(seen)).toEqual(new Set(ids));
      expect(seen).toHaveLength(5);
    }
    const batches = await objects.list(reader(accountId), { limit: 10, order: 'asc', purpose: 'batch' });
    // Some may have been created in one millisecond.
    expect(new Set(batches?.map(({ id }) => id))).toEqual(new Set([ids[0], ids[2], ids[3]]));
  });

  it('of keys beyond the limits of the reader are results that it does not list, read or delete', async () => {
    const accountId = await test.account();
    const { id: chats } = await test.key(accountId, null, { models: ['a'], endpoints: ['chat.completions'] });
    const { id: speech } = await test.key(accountId, null, { models: ['a', 'b'], endpoints: ['audio.speech'] });
    const { id: unlimited } = await test.key(accountId);
    const ids = [
      await store(accountId, { keyId: unlimited }),
      await store(accountId, { keyId: chats, purpose: 'generation' }),
      await store(accountId, { keyId: speech, purpose: 'generation' }),
      await store(accountId, { keyId: unlimited, purpose: 'batch_output' }),
    ];
    const seen = async (limits?: KeyLimits) => {
      const limited = { ...reader(accountId), ...limits };
      const listed = await objects.list(limited, { limit: 9, order: 'asc' });
      const read = await Promise.all(ids.map((id) => objects.findAs(limited, id)));
      expect(read.filter((found) => found !== null)).toEqual(listed);
      return listed?.map(({ id }) => ids.indexOf(id));
    };
    expect(await seen()).toEqual([0, 1, 2, 3]);
    expect(await seen({ models: null, endpoints: null })).toEqual([0, 1, 2, 3]);
    expect(await seen({ models: ['a', 'c'], endpoints: null })).toEqual([0, 1]);
    expect(await seen({ models: ['a', 'b'], endpoints: null })).toEqual([0, 1, 2]);
    expect(await seen({ models: ['a', 'b'], endpoints: ['audio.speech'] })).toEqual([0, 2]);
    const embeddings = { models: null, endpoints: ['embeddings'] };
    expect(await seen(embeddings)).toEqual([0]);
    const deleted = ids.map((id) => objects.delete({ ...reader(accountId), ...embeddings }, id));
    expect(await Promise.all(deleted)).toEqual([true, false, false, false]);
  });
});
