import { randomBytes } from 'node:crypto';
import { newRequestId } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { TestDatabase } from '../test-support/test-database.js';
import { type AnswerShelf, shelfIn } from './open-answer-shelf.js';
import { removeOldAnswers } from './remove-old-answers.js';

jest.setTimeout(60_000);

let test: TestDatabase;
let shelf: AnswerShelf;

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
    for (const [number, bytes] of pieces.entries()) await shelf.put({ requestId, number, bytes, keptUntil: later });
    expect(await shelf.bytesOf(requestId)).toBe(1_100_003);
    for (const [number, bytes] of pieces.entries()) {
      expect((await shelf.piece(requestId, number))?.equals(bytes)).toBe(true);
    }
    expect(await shelf.piece(requestId, pieces.length)).toBeNull();
  });

  it('takes each piece once', async () => {
    const piece = { requestId: newRequestId(), number: 0, bytes: Buffer.from('a'), keptUntil: later };
    await shelf.put(piece);
    await expect(shelf.put({ ...piece, bytes: Buffer.from('b') })).rejects.toThrow('Unique constraint');
    expect(await shelf.piece(piece.requestId, 0)).toEqual(Buffer.from('a'));
  });

  it('knows nothing of what was dropped or never put', async () => {
    const [dropped, other] = [newRequestId(), newRequestId()];
    for (const requestId of [dropped, other]) {
      await shelf.put({ requestId, number: 0, bytes: Buffer.from('a'), keptUntil: later });
    }
    await shelf.drop(dropped);
    expect([await shelf.bytesOf(dropped), await shelf.piece(dropped, 0)]).toEqual([0, null]);
    expect(await shelf.bytesOf(other)).toBe(1);
    expect(await shelf.bytesOf(newRequestId())).toBe(0);
  });

  it('is cleared of what is past its time, a few pieces at a time, and of nothing else', async () => {
    const [old, young] = [newRequestId(), newRequestId()];
    for (let number = 0; number < 5; number += 1) {
      await shelf.put({ requestId: old, number, bytes: Buffer.from('old'), keptUntil: new Date(1_000) });
      await shelf.put({ requestId: young, number, bytes: Buffer.from('young'), keptUntil: later });
    }
    expect(await removeOldAnswers(test.database, 3)).toBe(3);
    expect(await removeOldAnswers(test.database, 3)).toBe(2);
    expect(await removeOldAnswers(test.database, 3)).toBe(0);
    expect([await shelf.bytesOf(old), await shelf.bytesOf(young)]).toEqual([0, 25]);
  });
});
