import type { KeptAnswer } from '@gateway/redis';
import { describe, expect, it } from '@jest/globals';
import { KEPT_BYTES_AT_MOST, RecordedAnswer } from './recorded-answer.js';

/** What was kept, and the recording that kept it. */
function recording() {
  const kept: KeptAnswer[] = [];
  const recorded = new RecordedAnswer({
    keep: async (answer) => void kept.push(answer),
    free: async () => undefined,
  });
  return { kept, recorded };
}

const head = (headers: Record<string, string>) => ({ status: 200, headers: { 'content-type': 'a/b', ...headers } });

describe('a recorded answer', () => {
  it('lets a stream through as it comes, and keeps it with its last words', async () => {
    const { kept, recorded } = recording();
    recorded.head(head({}));
    const chunk = Buffer.from('data: 1\n\n');
    expect(recorded.data(chunk)).toBe(chunk);
    chunk.fill(0);
    expect(await recorded.end(': cost\n\n')).toEqual(Buffer.from(': cost\n\n'));
    expect(kept).toEqual([{ status: 200, contentType: 'a/b', body: Buffer.from('data: 1\n\n: cost\n\n') }]);
  });

  it('holds the last bytes of an answer of known length back until it is kept', async () => {
    const { kept, recorded } = recording();
    recorded.head(head({ 'content-length': '4' }));
    expect(recorded.data(Buffer.from('ab'))).toEqual(Buffer.from('ab'));
    const last = Buffer.from('cd');
    expect(recorded.data(last)).toBeUndefined();
    last.fill(0);
    expect(kept).toEqual([]);
    expect(await recorded.end(undefined)).toEqual(Buffer.from('cd'));
    expect(kept).toEqual([{ status: 200, contentType: 'a/b', body: Buffer.from('abcd') }]);
  });

  it.each([
    ['keeps an answer of just the limit', 0, KEPT_BYTES_AT_MOST],
    ['keeps of a longer answer only that it was given', 1, undefined],
  ])('%s', async (_words, more, keptBytes) => {
    const { kept, recorded } = recording();
    recorded.head(head({}));
    const half = KEPT_BYTES_AT_MOST / 2;
    recorded.data(Buffer.alloc(half));
    expect(recorded.data(Buffer.alloc(half + more))).toHaveLength(half + more);
    await recorded.end(undefined);
    expect(kept.map(({ body }) => body?.length)).toEqual([keptBytes]);
  });
});
