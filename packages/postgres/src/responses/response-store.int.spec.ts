import { randomBytes } from 'node:crypto';
import { newRequestId } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestDatabase } from '../test-support/test-database.js';
import { type ResponseStore, removeExpiredResponses, responseStoreIn } from './open-response-store.js';

let test: TestDatabase;
let store: ResponseStore;

beforeAll(async () => {
  test = await TestDatabase.openFor('services');
  store = responseStoreIn(test.database);
});

afterAll(() => test.close());

const later = new Date(Date.now() + 3_600_000);

describe('the response store', () => {
  it('returns each chunk byte for byte, and the sum of all chunks', async () => {
    const requestId = newRequestId();
    const chunks = [randomBytes(1_100_000), randomBytes(3), Buffer.alloc(0)];
    for (const [number, bytes] of chunks.entries())
      await store.putChunk({ requestId, number, bytes, expiresAt: later });
    expect(await store.storedBytes(requestId)).toBe(1_100_003);
    for (const [number, bytes] of chunks.entries()) {
      expect((await store.readChunk(requestId, number))?.equals(bytes)).toBe(true);
    }
    expect(await store.readChunk(requestId, chunks.length)).toBeNull();
  });

  it('refuses a second chunk with the same number', async () => {
    const chunk = { requestId: newRequestId(), number: 0, bytes: Buffer.from('a'), expiresAt: later };
    await store.putChunk(chunk);
    await expect(store.putChunk({ ...chunk, bytes: Buffer.from('b') })).rejects.toThrow('unique constraint');
    expect(await store.readChunk(chunk.requestId, 0)).toEqual(Buffer.from('a'));
  });

  it('has no chunks of a response that was deleted or never stored', async () => {
    const [dropped, other] = [newRequestId(), newRequestId()];
    for (const requestId of [dropped, other]) {
      await store.putChunk({ requestId, number: 0, bytes: Buffer.from('a'), expiresAt: later });
    }
    await store.delete(dropped);
    expect([await store.storedBytes(dropped), await store.readChunk(dropped, 0)]).toEqual([0, null]);
    expect(await store.storedBytes(other)).toBe(1);
    expect(await store.storedBytes(newRequestId())).toBe(0);
  });

  it('removes expired chunks up to the limit, and no others', async () => {
    const [old, young] = [newRequestId(), newRequestId()];
    for (let number = 0; number < 5; number += 1) {
      await store.putChunk({ requestId: old, number, bytes: Buffer.from('old'), expiresAt: new Date(1_000) });
      await store.putChunk({ requestId: young, number, bytes: Buffer.from('young'), expiresAt: later });
    }
    expect(await removeExpiredResponses(test.database, 3)).toBe(3);
    expect(await removeExpiredResponses(test.database, 3)).toBe(2);
    expect(await removeExpiredResponses(test.database, 3)).toBe(0);
    expect([await store.storedBytes(old), await store.storedBytes(young)]).toEqual([0, 25]);
  });
});
