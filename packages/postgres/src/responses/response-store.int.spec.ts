import { randomBytes } from 'node:crypto';
import { newRequestId } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { TestDatabase } from '../test-support/test-database.js';
import { type ResponseStore, shelfIn } from './open-response-store.js';
import { removeExpiredResponses } from './remove-expired-responses.js';

jest.setTimeout(60_000);

let test: TestDatabase;
let shelf: ResponseStore;

beforeAll(async () => {
  test = await TestDatabase.openForServices();
  shelf = shelfIn(test.database);
});

afterAll(() => test.close());

const later = new Date(Date.now() + 3_600_000);

describe('the shelf of large answers', () => {
  it('gives pieces back byte for byte, each by its number, and knows how much there is', async () => {
    const requestId = newRequestId();
    const pieces = [randomBytes(1_100_000), randomBytes(3), Buffer.alloc(0)];
    for (const [number, bytes] of pieces.entries())
      await shelf.putChunk({ requestId, number, bytes, keptUntil: later });
    expect(await shelf.storedBytes(requestId)).toBe(1_100_003);
    for (const [number, bytes] of pieces.entries()) {
      expect((await shelf.readChunk(requestId, number))?.equals(bytes)).toBe(true);
    }
    expect(await shelf.readChunk(requestId, pieces.length)).toBeNull();
  });

  it('takes each piece once', async () => {
    const piece = { requestId: newRequestId(), number: 0, bytes: Buffer.from('a'), keptUntil: later };
    await shelf.putChunk(piece);
    await expect(shelf.putChunk({ ...piece, bytes: Buffer.from('b') })).rejects.toThrow('Unique constraint');
    expect(await shelf.readChunk(piece.requestId, 0)).toEqual(Buffer.from('a'));
  });

  it('knows nothing of what was dropped or never put', async () => {
    const [dropped, other] = [newRequestId(), newRequestId()];
    for (const requestId of [dropped, other]) {
      await shelf.putChunk({ requestId, number: 0, bytes: Buffer.from('a'), keptUntil: later });
    }
    await shelf.delete(dropped);
    expect([await shelf.storedBytes(dropped), await shelf.readChunk(dropped, 0)]).toEqual([0, null]);
    expect(await shelf.storedBytes(other)).toBe(1);
    expect(await shelf.storedBytes(newRequestId())).toBe(0);
  });

  it('is cleared of what is past its time, a few pieces at a time, and of nothing else', async () => {
    const [old, young] = [newRequestId(), newRequestId()];
    for (let number = 0; number < 5; number += 1) {
      await shelf.putChunk({ requestId: old, number, bytes: Buffer.from('old'), keptUntil: new Date(1_000) });
      await shelf.putChunk({ requestId: young, number, bytes: Buffer.from('young'), keptUntil: later });
    }
    expect(await removeExpiredResponses(test.database, 3)).toBe(3);
    expect(await removeExpiredResponses(test.database, 3)).toBe(2);
    expect(await removeExpiredResponses(test.database, 3)).toBe(0);
    expect([await shelf.storedBytes(old), await shelf.storedBytes(young)]).toEqual([0, 25]);
  });
});
