import { describe, expect, it } from '@jest/globals';
import { expectedBytes, type ReplyPlace, ReplyRoom } from './reply-room.js';

const { signal } = new AbortController();

/** Takes room, and records that it has it. */
function taking(room: ReplyRoom) {
  const order: string[] = [];
  const take = (name: string, bytes: number, stop = signal): ReplyPlace => {
    const place = room.open(name.charAt(0));
    place.take(bytes, stop).then(
      () => order.push(name),
      () => order.push(`${name} left`),
    );
    return place;
  };
  return { order, take };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('ReplyRoom', () => {
  it('lets replies wait for each other in order once it is full', async () => {
    const { order, take } = taking(new ReplyRoom(100));
    const first = take('a', 100);
    take('b', 40);
    take('c', 50);
    take('d', 10);
    await turn();
    expect(order).toEqual(['a', 'b']);
    first.release();
    await turn();
    expect(order).toEqual(['a', 'b', 'c', 'd']);
  });

  it('gives an account that has some of it at most half, and lets others pass', async () => {
    const { order, take } = taking(new ReplyRoom(100));
    const first = take('a1', 40);
    take('a2', 40);
    take('b1', 40);
    await turn();
    expect(order).toEqual(['a1', 'b1']);
    first.release();
    await turn();
    expect(order).toEqual(['a1', 'b1', 'a2']);
  });

  it('serves an account that has nothing while two others keep it full', async () => {
    const { order, take } = taking(new ReplyRoom(100));
    for (const name of ['a1', 'b1', 'a2', 'b2']) take(name, 25);
    take('a3', 25);
    take('c1', 50);
    await turn();
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'c1']);
  });

  it('takes a reply that is longer than itself when it is empty, so that none waits for ever', async () => {
    const room = new ReplyRoom(100);
    const { order, take } = taking(room);
    const long = take('a', 1_000);
    take('b', 60);
    await turn();
    expect([order, room.takenBytes]).toEqual([['a'], 100]);
    long.release();
    await turn();
    expect([order, room.takenBytes]).toEqual([['a', 'b'], 60]);
  });

  it('asks a ticket once: its further replies never wait, and a whole response takes what it has', async () => {
    const room = new ReplyRoom(100);
    const place = room.open('a');
    await place.take(60, signal);
    await place.take(60, signal);
    expect(room.takenBytes).toBe(60);
    place.settle(75);
    expect(room.takenBytes).toBe(75);
    place.release();
    place.settle(75);
    expect(room.takenBytes).toBe(0);
  });

  it('takes nothing for a short response', () => {
    const room = new ReplyRoom(100);
    room.open('a').settle(75);
    expect(room.takenBytes).toBe(0);
  });

  it('forgets who is aborted while waiting, and goes on with the next', async () => {
    const room = new ReplyRoom(100);
    const { order, take } = taking(room);
    const abort = new AbortController();
    take('a', 100);
    take('b', 60, abort.signal);
    take('c', 40);
    await turn();
    expect(order).toEqual(['a']);
    abort.abort();
    await turn();
    expect(order.toSorted()).toEqual(['a', 'b left', 'c']);
    expect(room.takenBytes).toBe(140);
  });

  it('gives a place that was released while it waited nothing', async () => {
    const room = new ReplyRoom(100);
    const { take } = taking(room);
    const first = take('a', 100);
    take('b', 60).release();
    first.release();
    await turn();
    expect(room.takenBytes).toBe(0);
  });
});

describe('expectedBytes', () => {
  it('grows with the calls of one response', () => {
    expect(expectedBytes(1)).toBe(16 * 1024 * 1024);
    expect(expectedBytes(21)).toBe(84 * 1024 * 1024);
  });
});
