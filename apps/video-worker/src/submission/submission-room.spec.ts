import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { roomIn, SubmissionRoom } from './submission-room.js';

const MEBIBYTE = 1024 * 1024;
const running = new AbortController().signal;
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the room for long submissions', () => {
  it('has one of 60 MB at a time in a container of 512 MiB', () => {
    const room = roomIn(512 * MEBIBYTE);
    expect([Math.floor(room / 58e6), Math.floor(room / 120e6)]).toEqual([1, 0]);
    expect(roomIn(1)).toBe(1);
  });

  it('lets what does not fit wait in turn, and a smaller one not overtake it', async () => {
    const room = new SubmissionRoom(100);
    const order: string[] = [];
    const enter = (name: string, bytes: number) =>
      room.enter(bytes, running).then((leave) => {
        order.push(name);
        return leave as () => void;
      });
    const first = enter('first', 60);
    const second = enter('second', 50);
    const small = enter('small', 10);
    await settled();
    expect([order, room.usedBytes, room.waiting]).toEqual([['first'], 60, 2]);
    (await first)();
    await settled();
    expect([order, room.usedBytes, room.waiting]).toEqual([['first', 'second', 'small'], 60, 0]);
    (await second)();
    (await small)();
    expect(room.usedBytes).toBe(0);
  });

  it('admits one that is larger than the room once it is alone', async () => {
    const room = new SubmissionRoom(100);
    const leave = await room.enter(20, running);
    const large = room.enter(500, running);
    await settled();
    expect(room.waiting).toBe(1);
    leave?.();
    const leaveLarge = await large;
    const next = room.enter(1, running);
    await settled();
    expect(room.waiting).toBe(1);
    leaveLarge?.();
    (await next)?.();
    expect([room.usedBytes, room.waiting]).toEqual([0, 0]);
  });

  it('is no matter of short submissions', async () => {
    const room = new SubmissionRoom(1);
    await room.enter(10, running);
    expect(await room.enter(undefined, running)).toBeInstanceOf(Function);
  });

  it('sends away what waits when the worker stops, and lets the others go on', async () => {
    const room = new SubmissionRoom(100);
    const leave = await room.enter(90, running);
    const stop = new AbortController();
    const stopped = room.enter(90, stop.signal);
    const next = room.enter(10, running);
    stop.abort();
    expect(await stopped).toBeUndefined();
    await next;
    leave?.();
    expect(await room.enter(1, stop.signal)).toBeUndefined();
    expect(room.usedBytes).toBe(10);
  });

  it('loses none and never has more than fits, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 150 }), { maxLength: 30 }), async (sizes) => {
        const room = new SubmissionRoom(100);
        let inside = 0;
        let ended = 0;
        await Promise.all(
          sizes.map(async (bytes) => {
            const leave = await room.enter(bytes, running);
            inside += 1;
            expect(inside === 1 || room.usedBytes <= 100).toBe(true);
            await settled();
            inside -= 1;
            ended += 1;
            leave?.();
          }),
        );
        expect([ended, room.usedBytes, room.waiting]).toEqual([sizes.length, 0, 0]);
      }),
      { numRuns: 50 },
    );
  });
});
