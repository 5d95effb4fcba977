import { describe, expect, it } from '@jest/globals';
import { type Comparison, compareLists } from './compare-lists.js';

const listed = (id: string, shutdownDate?: string, isShutDown = false) => ({ id, shutdownDate, isShutDown });
const expected = (upstreamModel: string, retiresOn?: string) => ({ upstreamModel, publicIds: ['p'], retiresOn });
const list = (channelId: string, ...models: readonly ReturnType<typeof listed>[]) => ({ channelId, models });

const found = (comparison: Partial<Comparison>) =>
  compareLists({ expected: [expected('m')], lists: [], isComplete: true, known: new Set(['m']), ...comparison }).map(
    ({ kind, upstreamModel, detail }) => `${kind} ${upstreamModel}: ${detail}`,
  );

describe('compareLists', () => {
  it('finds nothing where every credential gets every model', () => {
    expect(found({ lists: [list('a', listed('m')), list('b', listed('m'))] })).toEqual([]);
  });

  it('names a model that no credential gets, and one that only some get', () => {
    expect(found({ lists: [list('a'), list('b')] })).toEqual(['gone m: no credential gets it']);
    expect(found({ lists: [list('a', listed('m')), list('b')] })).toEqual(['closed m: not for b']);
  });

  it('concludes nothing from a list that leaves out models, unless it marks one as shut down', () => {
    expect(found({ isComplete: false, lists: [list('a')] })).toEqual(['unlisted m: the list is not complete']);
    expect(found({ isComplete: false, lists: [list('a', listed('m', undefined, true))] })).toEqual([
      'gone m: listed as shut down',
    ]);
  });

  it('compares the days of vendors that state them, as dates or seconds', () => {
    const lists = [list('a', listed('m', '2026-12-01'), listed('other'))];
    expect(found({ lists, known: new Set(['m', 'other']) })).toEqual(['date m: vendor: 2026-12-01, catalogue: no end']);
    expect(found({ lists: [list('a', listed('m', '1796083200'))], expected: [expected('m', '2026-12-01')] })).toEqual(
      [],
    );
    const silent = [list('a', listed('m'), listed('n', '2026-12-01'))];
    expect(found({ lists: silent, expected: [expected('m', '2026-12-11')], known: new Set(['m', 'n']) })).toEqual([
      'date m: vendor: no end, catalogue: 2026-12-11',
    ]);
  });

  it('takes a dated release for its model, and names what the catalogue does not know', () => {
    const lists = [list('a', listed('m-20261001'), listed('x'), listed('y-2026-01-02'))];
    expect(found({ lists })).toEqual(['new x: not in the catalogue', 'new y-2026-01-02: not in the catalogue']);
  });
});
