import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { BodyTurns } from './body-turns.js';

const CHUNK_BYTES = 128 * 1024;

/** A body whose chunks are all there already, as those of a connection that has sent ahead. */
const bodyOf = (chunks: number): Readable =>
  Readable.from(
    Array.from({ length: chunks }, () => Buffer.alloc(CHUNK_BYTES)),
    { highWaterMark: chunks },
  );

function read(turns: BodyTurns, body: Readable) {
  const progress = { chunks: 0, isEnded: false };
  turns.pace(body);
  body.on('data', () => {
    progress.chunks += 1;
  });
  body.on('end', () => {
    progress.isEnded = true;
  });
  return progress;
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 1));

describe('long bodies', () => {
  it('are read in parts, of which one turn of the event loop reads few', async () => {
    const scheduled: (() => void)[] = [];
    const turns = new BodyTurns((run) => scheduled.push(run));
    const [first, second] = [read(turns, bodyOf(10)), read(turns, bodyOf(10))];
    let before = 0;
    let rounds = 0;
    await settle();
    while (!first.isEnded || !second.isEnded) {
      const together = first.chunks + second.chunks;
      // Half a megabyte, and a chunk of each other body before it sees that the turn is used up.
      expect(together - before).toBeLessThanOrEqual(5);
      before = together;
      rounds += 1;
      for (const run of scheduled.splice(0)) run();
      await settle();
    }
    expect([first.chunks, second.chunks]).toEqual([10, 10]);
    expect(rounds).toBeGreaterThanOrEqual(4);
  });

  it('arrive whole, and one that breaks off takes no turn from others', async () => {
    const turns = new BodyTurns();
    const broken = bodyOf(40);
    broken.on('error', () => undefined);
    read(turns, broken);
    const whole = read(turns, bodyOf(40));
    broken.destroy(new Error('closed'));
    while (!whole.isEnded) await settle();
    expect(whole.chunks).toBe(40);
  });
});
