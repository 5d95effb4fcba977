import { describe, expect, it } from '@jest/globals';
import { LinesAtEdge } from './lines-at-edge.js';

/** A line runs, and a pause lasts, until its promise is resolved. */
const open = () => Promise.withResolvers<void>();

function withLines(count: number) {
  const lines = new LinesAtEdge();
  const ends = Array.from({ length: count }, () => {
    const { promise, resolve } = open();
    lines.add(10, promise);
    return resolve;
  });
  return { lines, ends };
}

describe('LinesAtEdge', () => {
  it('lets a refused line wait while another one runs', async () => {
    const { lines } = withLines(2);
    expect(await lines.waitForOthers(lines.ended, async () => undefined)).toBe(true);
  });

  it('stops a refused line when no other line holds anything', async () => {
    const { lines } = withLines(1);
    expect(await lines.waitForOthers(lines.ended, async () => undefined)).toBe(false);
  });

  it('counts a line as waiting until it is sent again, so that two refused lines never wait for each other', async () => {
    const { lines } = withLines(2);
    const pause = open();
    const first = lines.waitForOthers(lines.ended, () => pause.promise);
    expect(await lines.waitForOthers(lines.ended, async () => undefined)).toBe(false);
    pause.resolve();
    expect(await first).toBe(true);
    expect(await lines.waitForOthers(lines.ended, async () => undefined)).toBe(true);
  });

  it('lets the last line try again when another one has ended since it was sent', async () => {
    const { lines, ends } = withLines(2);
    const endedBefore = lines.ended;
    ends[0]?.();
    await lines.room(0, () => 2);
    expect(lines.ended).toBe(endedBefore + 1);
    expect(await lines.waitForOthers(endedBefore, async () => undefined)).toBe(true);
    expect(await lines.waitForOthers(lines.ended, async () => undefined)).toBe(false);
  });

  it('makes room as lines end, and rejects with the first error', async () => {
    const lines = new LinesAtEdge();
    lines.add(10, Promise.reject(new Error('the store is away')));
    await expect(lines.room(0, () => 1)).rejects.toThrow('the store is away');
    await expect(lines.end()).rejects.toThrow('the store is away');
  });
});
