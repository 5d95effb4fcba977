import { describe, expect, it, jest } from '@jest/globals';
import { FairSlots } from './fair-slots.js';
import { Slots } from './slots.js';

/** Work that ends when `end` is called. */
function pendingWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { run: () => promise, end: () => resolve() };
}

describe('Slots', () => {
  it('has no room while all slots are occupied', async () => {
    const slots = new Slots(2);
    const works = [pendingWork(), pendingWork()];
    expect(slots.roomSinceMs).not.toBeNull();
    const ends = works.map(({ run }) => slots.occupy(run));
    expect([slots.active, slots.roomSinceMs]).toEqual([2, null]);
    works[0]?.end();
    await ends[0];
    expect(slots.active).toBe(1);
    expect(slots.roomSinceMs).toBe(slots.lastChangeMs);
    works[1]?.end();
    await Promise.all(ends);
    expect(slots.active).toBe(0);
  });

  it('frees a slot when its work fails', async () => {
    const slots = new Slots(1);
    await expect(slots.occupy(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(slots.active).toBe(0);
    expect(slots.roomSinceMs).not.toBeNull();
  });

  it.each([
    ['Slots', () => new Slots(1)],
    ['FairSlots', () => new FairSlots(1)],
  ])('measures with a clock that is never set: %s', (_name, create) => {
    jest.spyOn(performance, 'now').mockReturnValue(42);
    const { roomSinceMs, lastChangeMs } = create();
    expect([roomSinceMs, lastChangeMs]).toEqual([42, 42]);
    jest.restoreAllMocks();
  });
});
