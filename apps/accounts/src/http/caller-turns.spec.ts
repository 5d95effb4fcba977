import { describe, expect, it } from '@jest/globals';
import { CallerTurns } from './caller-turns.js';

const AT_ONCE = 6;
const MAX_WAITING = 1_000;

/** Asks for turns, and counts those that have begun. */
function asking(turns: CallerTurns) {
  const begun: (() => void)[] = [];
  const ask = async (caller: string): Promise<void> => {
    begun.push(await turns.begin(caller));
  };
  return { ask, begun, end: () => begun.shift()?.() };
}

/** All that can run without time has run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('turns of a caller', () => {
  it('run a few requests at once and let the next begin when one ends, in order', async () => {
    const { ask, begun, end } = asking(new CallerTurns());
    for (let sent = 0; sent < AT_ONCE + 2; sent += 1) void ask('a');
    await settled();
    expect(begun).toHaveLength(AT_ONCE);
    end();
    await settled();
    expect(begun).toHaveLength(AT_ONCE);
  });

  it('leave other callers alone', async () => {
    const { ask, begun } = asking(new CallerTurns());
    for (let sent = 0; sent < AT_ONCE + 1; sent += 1) void ask('a');
    await ask('b');
    expect(begun).toHaveLength(AT_ONCE + 1);
  });

  it('refuse a caller of whom too many wait, and serve that caller again later', async () => {
    const turns = new CallerTurns();
    const { ask, begun, end } = asking(turns);
    for (let sent = 0; sent < AT_ONCE + MAX_WAITING; sent += 1) void ask('a');
    await expect(turns.begin('a')).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
    for (let ended = 0; ended < AT_ONCE + MAX_WAITING; ended += 1) {
      end();
      await settled();
    }
    expect(begun).toHaveLength(0);
    await ask('a');
    expect(begun).toHaveLength(1);
  });
});
