import { describe, expect, it } from '@jest/globals';
import { mergeHead } from './refresh-list.js';

const page = (ids: readonly string[], next_cursor: string | null = 'c', state = 'old') => ({
  data: ids.map((id) => ({ id, state })),
  next_cursor,
});

describe('mergeHead', () => {
  const loaded = [page(['c', 'b']), page(['a'], null)];

  it('puts new rows first, and keeps the place of the next page', () => {
    expect(mergeHead(loaded, page(['d', 'c']))).toEqual([
      {
        data: [
          { id: 'd', state: 'old' },
          { id: 'c', state: 'old' },
          { id: 'b', state: 'old' },
        ],
        next_cursor: 'c',
      },
      loaded[1],
    ]);
  });

  it('replaces rows that changed', () => {
    const merged = mergeHead(loaded, page(['c', 'b'], 'c', 'new'));
    expect(merged?.[0]?.data).toEqual([
      { id: 'c', state: 'new' },
      { id: 'b', state: 'new' },
    ]);
  });

  it('drops rows that ended, also those of the next page', () => {
    const long = [page(['e', 'd']), page(['c', 'b']), page(['a'], null)];
    expect(mergeHead(long, page(['d', 'b']))).toEqual([page(['d', 'b']), page([]), long[2]]);
  });

  it('gives up where rows between are missing', () => {
    expect(mergeHead(loaded, page(['f', 'e']))).toBeNull();
    expect(mergeHead([], page(['f']))).toBeNull();
  });

  it('is the fresh page if that is the whole list now', () => {
    expect(mergeHead(loaded, page(['f'], null))).toEqual([page(['f'], null)]);
  });
});
