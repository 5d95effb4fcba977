import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ShelfInMemory, until } from '../test-support/shelf-in-memory.js';
import { SHELVED_BYTES_AT_MOST, type ShelfPorts, ShelvedAnswer } from './shelved-answer.js';

const MEGABYTE = 1024 * 1024;

function shelved(ports: Partial<ShelfPorts> = {}) {
  const shelf = new ShelfInMemory();
  return { shelf, answer: new ShelvedAnswer({ ...shelf.ports, ...ports }) };
}

describe('an answer on its way to the shelf', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is put down in pieces of a megabyte, in order, the rest at its end', async () => {
    const { shelf, answer } = shelved();
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    for (let at = 0; at < 10_000; at += 1) answer.write(bytes);
    expect(await answer.end()).toEqual({ bytesApart: 2_560_000 });
    expect(shelf.pieces.map(({ length }) => length)).toEqual([MEGABYTE, MEGABYTE, 2_560_000 - 2 * MEGABYTE]);
    expect(Buffer.concat(shelf.pieces).equals(Buffer.concat(Array.from({ length: 10_000 }, () => bytes)))).toBe(true);
    expect([shelf.waitingBytes, shelf.drops]).toEqual([0, 0]);
  });

  it('is given up when one piece is refused: nothing more is put, and what was is dropped', async () => {
    const puts: number[] = [];
    const { shelf, answer } = shelved({
      put: async (number) => {
        puts.push(number);
        if (number === 1) throw new Error('no room');
      },
    });
    for (let at = 0; at < 4; at += 1) answer.write(Buffer.alloc(MEGABYTE));
    expect(await answer.end()).toBeUndefined();
    await until(() => shelf.drops === 1);
    expect(puts).toEqual([0, 1]);
    expect(shelf.reasons).toEqual([new Error('no room')]);
    answer.write(Buffer.alloc(MEGABYTE));
    expect(shelf.waitingBytes).toBe(0);
  });

  it('is given up when it is longer than any that is kept', async () => {
    const { shelf, answer } = shelved();
    for (let sent = 0; sent <= SHELVED_BYTES_AT_MOST; sent += MEGABYTE) answer.write(Buffer.alloc(MEGABYTE));
    expect(await answer.end()).toBeUndefined();
    await until(() => shelf.drops === 1);
    expect([shelf.reasons, shelf.waitingBytes]).toEqual([['it is too large'], 0]);
  });

  it('is given up when too much waits in the process already', async () => {
    const { shelf, answer } = shelved({ reserve: () => false });
    answer.write(Buffer.alloc(10));
    expect(await answer.end()).toBeUndefined();
    expect([shelf.pieces, shelf.drops, shelf.waitingBytes]).toEqual([[], 0, 0]);
  });

  it('does not keep the end of an answer waiting for a database that hangs, however many pieces are to come', async () => {
    jest.useFakeTimers();
    const hanging = Promise.withResolvers<void>();
    const { shelf, answer } = shelved({ put: () => hanging.promise });
    for (let at = 0; at < 5; at += 1) answer.write(Buffer.alloc(MEGABYTE));
    const ended = answer.end();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await ended).toBeUndefined();
    expect(shelf.reasons).toEqual([new Error('a piece took too long')]);
    jest.useRealTimers();
    hanging.resolve();
    await until(() => shelf.drops === 1);
    expect(shelf.waitingBytes).toBe(0);
  });

  it('is dropped once, and only if something of it is there', async () => {
    const { shelf, answer } = shelved();
    answer.write(Buffer.alloc(10));
    answer.drop();
    expect([await answer.end(), shelf.pieces, shelf.drops, shelf.waitingBytes]).toEqual([undefined, [], 0, 0]);
  });
});
