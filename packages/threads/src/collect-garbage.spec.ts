import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { garbageCollector } from './collect-garbage.js';

const MEBIBYTE = 1024 * 1024;

const garbage = (): WeakRef<object> => new WeakRef({ text: 'x'.repeat(1_000) });

async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
}

describe('the garbage of a thread', () => {
  it('is collected after a long text, although the thread rests', async () => {
    const reference = garbage();
    await turns();
    expect(reference.deref()).toBeDefined();
    await turns();
    const collect = garbageCollector();
    collect(MEBIBYTE);
    await turns();
    expect(reference.deref()).toBeUndefined();
  });

  it('waits for V8 after a short one: a stream has thousands of them', async () => {
    const reference = garbage();
    await turns();
    garbageCollector()(MEBIBYTE - 1);
    await turns();
    expect(reference.deref()).toBeDefined();
  });
});
