import { describe, expect, it } from '@jest/globals';
import { pauseMs, SharedReads } from './shared-reads.service.js';

const NOTHING = Buffer.alloc(0);
const NEVER = new AbortController().signal;

/** A stream whose reads return these, one after the other, and nothing from then on. */
function liveOf(...results: readonly (Buffer | Error)[]) {
  const reads: string[] = [];
  const left = [...results];
  const read = async (requestId: string, offset: number): Promise<Buffer> => {
    reads.push(`${requestId} ${offset}`);
    const result = left.shift() ?? NOTHING;
    if (result instanceof Error) throw result;
    return result;
  };
  return { live: { read }, reads };
}

const now = (signal = NEVER) => ({ sinceMs: performance.now(), signal });

describe('readers of one stream', () => {
  it('share each read, also while nothing comes and while Redis is away', async () => {
    const bytes = Buffer.from('data: one\n\n');
    const { live, reads } = liveOf(NOTHING, new Error('away'), NOTHING, bytes);
    const shared = new SharedReads(live);
    expect(await Promise.all(Array.from({ length: 200 }, () => shared.read('r', 7)))).toEqual(
      Array.from({ length: 200 }, () => NOTHING),
    );
    const all = await Promise.all(Array.from({ length: 200 }, () => shared.next('r', 7, now())));
    expect(all.every((one) => one === bytes)).toBe(true);
    expect(reads).toEqual(Array.from({ length: 4 }, () => 'r 7'));
  });

  it('that are behind read for themselves, and wait for no other', async () => {
    const { live, reads } = liveOf(Buffer.from('missed'), Buffer.from('next'));
    const shared = new SharedReads(live);
    const waiting = shared.next('r', 6, now());
    expect((await shared.read('r', 0)).toString()).toBe('missed');
    expect((await waiting).toString()).toBe('next');
    expect(reads).toEqual(['r 0', 'r 6']);
  });

  it('leave alone, and the last one ends the reads', async () => {
    const { live, reads } = liveOf(NOTHING, Buffer.from('b'));
    const shared = new SharedReads(live);
    const [left, alone] = [new AbortController(), new AbortController()];
    const both = [shared.next('r', 0, now(left.signal)), shared.next('r', 0, now())];
    const other = shared.next('s', 0, now(alone.signal));
    left.abort();
    alone.abort();
    expect(await both[0]).toHaveLength(0);
    expect(await other).toHaveLength(0);
    expect((await both[1])?.toString()).toBe('b');
    expect(reads).toEqual(['r 0', 'r 0']);
    expect(await shared.next('r', 0, now(left.signal))).toHaveLength(0);
  });

  it('that come after the bytes of others begin a poll of their own', async () => {
    const { live } = liveOf(Buffer.from('a'), Buffer.from('a'));
    const shared = new SharedReads(live);
    expect((await shared.next('r', 0, now())).toString()).toBe('a');
    expect((await shared.next('r', 0, now())).toString()).toBe('a');
  });
});

describe('the pause between two reads', () => {
  it('grows with the silence, to a limit, and with the number of silent streams', () => {
    expect([0, 400, 800, 4_000, 60_000].map((silentMs) => pauseMs(silentMs, 1))).toEqual([50, 50, 100, 500, 500]);
    expect([100, 1_000, 10_000].map((streams) => pauseMs(0, streams))).toEqual([50, 500, 5_000]);
  });
});
