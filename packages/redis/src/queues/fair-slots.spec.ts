import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FairSlots, type Turn } from './fair-slots.js';

const request = (slots: FairSlots, accountId: string, count: number, sinceMs = 0): Turn[] =>
  Array.from({ length: count }, () => slots.request(accountId, sinceMs));
const grantedOf = (turns: readonly Turn[]): number => turns.filter(({ isGranted }) => isGranted).length;

describe('FairSlots', () => {
  it('keeps a quarter of the slots free of an account that is alone', () => {
    const slots = new FairSlots(16);
    const hostile = request(slots, 'hostile', 100);
    expect([grantedOf(hostile), slots.active, slots.room]).toEqual([12, 12, -84]);
    const others = request(slots, 'other', 5);
    expect(grantedOf(others)).toBe(4);
  });

  it('gives an account above its quarter no further slot while another one waits', () => {
    const slots = new FairSlots(16);
    const hostile = request(slots, 'hostile', 100);
    const others = request(slots, 'other', 10);
    const third = request(slots, 'third', 2);
    const granted = () => [hostile, others, third].map(grantedOf);
    expect(granted()).toEqual([12, 4, 0]);
    for (const turn of hostile.slice(0, 3)) turn.release();
    // The third account got two slots, and the other free one is kept.
    expect(granted()).toEqual([9, 4, 2]);
    expect(slots.active).toBe(15);
  });

  it('gives batches at most half of the slots, and none while another request waits', () => {
    const slots = new FairSlots(16);
    const batch = Array.from({ length: 20 }, () => slots.request('a', 0, true));
    expect(grantedOf(batch)).toBe(8);
    const live = request(slots, 'b', 20);
    // The quarter that is kept free stays free, and what a batch gives back goes to the waiting requests.
    expect([grantedOf(live), slots.active]).toEqual([4, 12]);
    for (const turn of batch.slice(0, 4)) turn.release();
    expect([grantedOf(batch), grantedOf(live)]).toEqual([4, 8]);
    for (const turn of live) turn.isGranted ? turn.release() : turn.withdraw();
    expect(grantedOf(batch)).toBe(8);
  });

  it('grants in turn by account, the oldest request of an account first', async () => {
    const slots = new FairSlots(1);
    const [running] = request(slots, 'a', 1);
    const order: string[] = [];
    const note = (name: string, turn: Turn) =>
      turn.granted.then(() => {
        order.push(name);
        turn.release();
      });
    const all = [
      note('a, second', slots.request('a', 20)),
      note('a, third', slots.request('a', 30)),
      note('a, first', slots.request('a', 10)),
      note('b, first', slots.request('b', 90)),
      note('b, second', slots.request('b', 91)),
    ];
    running?.release();
    await Promise.all(all);
    expect(order).toEqual(['a, first', 'b, first', 'a, second', 'b, second', 'a, third']);
  });

  it('forgets a withdrawn request, and withdraws none that has a slot', async () => {
    const slots = new FairSlots(1);
    const [first, second, third] = request(slots, 'a', 3);
    second?.withdraw();
    first?.withdraw();
    expect(await second?.granted).toBe(false);
    expect([slots.active, slots.room]).toEqual([1, -1]);
    first?.release();
    expect(await third?.granted).toBe(true);
    third?.release();
    third?.release();
    expect([slots.active, slots.room]).toEqual([0, 1]);
  });

  it('knows since when it has had no free slot', () => {
    const slots = new FairSlots(1);
    expect(slots.roomSinceMs).not.toBeNull();
    const [turn] = request(slots, 'a', 1);
    expect(slots.roomSinceMs).toBeNull();
    turn?.release();
    expect(slots.roomSinceMs).toBe(slots.lastChangeMs);
  });

  it('never exceeds its size, loses no request, and lets no account below its quarter wait while a slot is free', () => {
    const step = fc.record({
      accountId: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      what: fc.constantFrom<Step['what']>('request', 'release', 'withdraw'),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(step, { maxLength: 200 }), (size, steps) => {
        const slots = new FairSlots(size);
        const turns: Turn[] = [];
        for (const next of steps) {
          take(next, slots, turns);
          expectFair(slots, turns);
        }
      }),
    );
  });
});

interface Step {
  readonly accountId: string;
  readonly what: 'request' | 'release' | 'withdraw';
}

/** Takes one step; `turns` are the requests that wait or have a slot. */
function take({ accountId, what }: Step, slots: FairSlots, turns: Turn[]): void {
  if (what === 'request') {
    turns.push(slots.request(accountId, turns.length));
    return;
  }
  const ended = turns.find((turn) => turn.accountId === accountId && turn.isGranted === (what === 'release'));
  if (ended === undefined) return;
  ended[what]();
  turns.splice(turns.indexOf(ended), 1);
}

function expectFair(slots: FairSlots, turns: readonly Turn[]): void {
  const share = Math.max(1, Math.floor(slots.size / 4));
  const waiting = turns.filter(({ isGranted }) => !isGranted);
  const runningOf = ({ accountId }: Turn) => grantedOf(turns.filter((turn) => turn.accountId === accountId));
  const free = slots.size - slots.active;
  expect(slots.active).toBe(grantedOf(turns));
  expect(free).toBeGreaterThanOrEqual(0);
  expect(slots.room).toBe(slots.size - turns.length);
  if (free > 0) expect(waiting.every((turn) => runningOf(turn) >= share)).toBe(true);
  if (free > Math.floor(slots.size / 4)) expect(waiting).toEqual([]);
}
