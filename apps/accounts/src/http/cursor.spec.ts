import { describe, expect, it } from '@jest/globals';
import { decodeCursor, decodePlace, encodeCursor, encodePlace, readPage } from './cursor.js';

const refused = expect.objectContaining({ code: 'invalid_request', details: { param: 'cursor' } });

describe('a cursor', () => {
  it('is the position that was encoded; without one, a list begins', () => {
    expect(decodeCursor(encodeCursor('17'), /^\d+$/)).toBe('17');
    expect(decodeCursor(undefined, /^\d+$/)).toBeNull();
  });

  it('of another list is refused', () => {
    expect(() => decodeCursor(encodeCursor('seventeen'), /^\d+$/)).toThrow(refused);
  });
});

describe('a page', () => {
  const pageOf = (rows: readonly number[]) => readPage(2, async (count) => rows.slice(0, count), String);

  it('leads to the next one if there are more rows, and a full last page does not', async () => {
    expect(await pageOf([1, 2, 3])).toEqual({ rows: [1, 2], next_cursor: '2' });
    expect(await pageOf([1, 2])).toEqual({ rows: [1, 2], next_cursor: null });
    expect(await pageOf([])).toEqual({ rows: [], next_cursor: null });
  });
});

describe('a place in a list by time', () => {
  const place = { atMs: 1_795_896_922_000, id: 'bill_a2' };

  it('is the time and the id that were encoded; without one, a list begins', () => {
    expect(decodePlace(encodePlace(place), /bill_\w+/)).toEqual(place);
    expect(decodePlace(undefined, /bill_\w+/)).toBeNull();
  });

  it.each([
    encodePlace({ ...place, id: 'task_a2' }),
    encodeCursor('soon bill_a2'),
    encodeCursor(`${place.atMs} bill_a2 or more`),
    encodeCursor('9999999999999999 bill_a2'),
  ])('is refused as %s', (cursor) => {
    expect(() => decodePlace(cursor, /bill_\w+/)).toThrow(refused);
  });
});
