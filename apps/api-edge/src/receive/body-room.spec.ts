import { newAccountId } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { OpenBody } from '../edge-request.js';
import { BodyRoom } from './body-room.js';

const MIB = 1024 * 1024;
const [one, two] = [newAccountId(), newAccountId()];
const roomOf = (memoryMib: number) => new BodyRoom({ memory: memoryMib * MIB, disk: 100 * MIB });
const refused = (code: string) => expect.objectContaining({ code });

type Event = 'open' | 'grow' | 'arrive' | 'close';

function happen(room: BodyRoom, bodies: Map<number, OpenBody>, kind: Event, slot: number, bytes: number): void {
  const body = bodies.get(slot);
  if (kind === 'grow') body?.grow(bytes);
  else if (kind !== 'open') body?.[kind]();
  else if (body === undefined) {
    bodies.set(slot, room.open(slot % 2 === 0 ? one : two, slot % 3 === 0 ? 'disk' : 'memory', bytes));
  }
}

function ignoreRefusal(run: () => void): void {
  try {
    run();
  } catch (error) {
    expect(error).toMatchObject({ code: expect.stringMatching(/rate_limit_exceeded|service_unavailable/) });
  }
}

describe('the room for bodies', () => {
  it('has eight large bodies for an account, and others for another one', () => {
    const room = roomOf(1_000);
    const open = () => room.open(one, 'memory', MIB);
    const bodies = Array.from({ length: 8 }, open);
    expect(open).toThrow(refused('rate_limit_exceeded'));
    expect(() => room.open(one, 'disk', MIB)).toThrow(refused('rate_limit_exceeded'));
    room.open(one, 'memory', 1_000);
    room.open(two, 'memory', MIB);
    bodies[0]?.close();
    bodies[0]?.close();
    open();
    expect(open).toThrow();
  });

  it('has 128 MB for the open requests of an account, in memory and on disk together', () => {
    const room = roomOf(1_000);
    const first = room.open(one, 'memory', 100 * MIB);
    expect(() => room.open(one, 'disk', 29 * MIB)).toThrow(refused('rate_limit_exceeded'));
    first.arrive();
    expect(() => room.open(one, 'disk', 29 * MIB)).toThrow(refused('rate_limit_exceeded'));
    expect(room.usedBytes('memory')).toBe(100 * MIB);
    first.close();
    first.close();
    expect(room.usedBytes('memory')).toBe(0);
    expect(() => room.open(one, 'memory', 128 * MIB)).not.toThrow();
  });

  it('has no room for the slow requests of one account beyond its share, so that others find room', () => {
    const room = roomOf(307);
    const slow = () => room.open(one, 'memory', 30 * MIB).arrive();
    for (let request = 0; request < 4; request += 1) slow();
    expect(slow).toThrow(refused('rate_limit_exceeded'));
    room.open(two, 'memory', 30 * MIB);
  });

  it('has eight places for large bodies that arrive; one that has arrived leaves its place', () => {
    const room = roomOf(1_000);
    for (let request = 0; request < 20; request += 1) room.open(one, 'memory', MIB).arrive();
  });

  it('is refused with 503 and a time to wait once the process is full, also for a body that grows', () => {
    const room = roomOf(10);
    const growing = room.open(one, 'memory', 0);
    growing.grow(6 * MIB);
    expect(() => room.open(two, 'memory', 5 * MIB)).toThrow(
      expect.objectContaining({ code: 'service_unavailable', details: { retryAfterMs: 2_000 } }),
    );
    expect(() => growing.grow(5 * MIB)).toThrow(refused('service_unavailable'));
    room.open(two, 'disk', 5 * MIB);
    growing.close();
    growing.grow(MIB);
    expect(room.usedBytes('memory')).toBe(0);
  });

  it('is whole again after any order of events', () => {
    const event = fc.constantFrom('open', 'grow', 'arrive', 'close');
    fc.assert(
      fc.property(fc.array(fc.tuple(event, fc.nat(9), fc.nat(30 * MIB))), (events) => {
        const room = roomOf(100);
        const bodies = new Map<number, OpenBody>();
        for (const [kind, slot, bytes] of events) {
          ignoreRefusal(() => happen(room, bodies, kind, slot, bytes));
          expect(room.usedBytes('memory')).toBeLessThanOrEqual(100 * MIB);
        }
        for (const body of bodies.values()) body.close();
        expect([room.usedBytes('memory'), room.usedBytes('disk'), room.accountCount]).toEqual([0, 0, 0]);
      }),
    );
  });
});
