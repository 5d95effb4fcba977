import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { SpillInMemory, until } from '../test-support/spill-in-memory.js';
import { MAX_SPILLED_BYTES, SpilledResponse, type SpillPorts } from './spilled-response.js';

const MEGABYTE = 1024 * 1024;

function spill(ports: Partial<SpillPorts> = {}) {
  const store = new SpillInMemory();
  return { store, response: new SpilledResponse({ ...store.ports, ...ports }) };
}

describe('a spilled response', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is written in chunks of a megabyte, in order, the remainder at its end', async () => {
    const { store, response } = spill();
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
    for (let at = 0; at < 10_000; at += 1) response.write(bytes);
    expect(await response.end()).toEqual({ spilledBytes: 2_560_000 });
    expect(store.chunks.map(({ length }) => length)).toEqual([MEGABYTE, MEGABYTE, 2_560_000 - 2 * MEGABYTE]);
    expect(Buffer.concat(store.chunks).equals(Buffer.concat(Array.from({ length: 10_000 }, () => bytes)))).toBe(true);
    expect([store.pendingBytes, store.deletions]).toEqual([0, 0]);
  });

  it('is abandoned when a chunk fails: nothing more is written, and what was written is deleted', async () => {
    const numbers: number[] = [];
    const { store, response } = spill({
      putChunk: async (number) => {
        numbers.push(number);
        if (number === 1) throw new Error('no room');
      },
    });
    for (let at = 0; at < 4; at += 1) response.write(Buffer.alloc(MEGABYTE));
    expect(await response.end()).toBeUndefined();
    await until(() => store.deletions === 1);
    expect(numbers).toEqual([0, 1]);
    expect(store.reasons).toEqual([new Error('no room')]);
    response.write(Buffer.alloc(MEGABYTE));
    expect(store.pendingBytes).toBe(0);
  });

  it('is abandoned above the size limit', async () => {
    const { store, response } = spill();
    for (let sent = 0; sent <= MAX_SPILLED_BYTES; sent += MEGABYTE) response.write(Buffer.alloc(MEGABYTE));
    expect(await response.end()).toBeUndefined();
    await until(() => store.deletions === 1);
    expect([store.reasons, store.pendingBytes]).toEqual([['the response is too large'], 0]);
  });

  it('is abandoned when too many bytes of the process are pending', async () => {
    const { store, response } = spill({ reserve: () => false });
    response.write(Buffer.alloc(10));
    expect(await response.end()).toBeUndefined();
    expect([store.chunks, store.deletions, store.pendingBytes]).toEqual([[], 0, 0]);
  });

  it('delays the end of a response by one time-out at most if the database hangs, however many chunks are pending', async () => {
    jest.useFakeTimers();
    const hanging = Promise.withResolvers<void>();
    const { store, response } = spill({ putChunk: () => hanging.promise });
    for (let at = 0; at < 5; at += 1) response.write(Buffer.alloc(MEGABYTE));
    const ended = response.end();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await ended).toBeUndefined();
    expect(store.reasons).toEqual([new Error('writing a chunk took too long')]);
    jest.useRealTimers();
    hanging.resolve();
    await until(() => store.deletions === 1);
    expect(store.pendingBytes).toBe(0);
  });

  it('is deleted on discard only if something was written', async () => {
    const { store, response } = spill();
    response.write(Buffer.alloc(10));
    response.discard();
    expect([await response.end(), store.chunks, store.deletions, store.pendingBytes]).toEqual([undefined, [], 0, 0]);
  });
});
