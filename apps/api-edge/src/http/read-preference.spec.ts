import { describe, expect, it } from '@jest/globals';
import { readPreference, readRetainSeconds } from './read-preference.js';

describe('readPreference', () => {
  it.each([
    ['respond-async', 0, 'respond-async'],
    ['Respond-Async', 0, 'respond-async'],
    ['wait=20', 20_000, 'wait=20'],
    ['respond-async, wait=20', 20_000, 'respond-async, wait=20'],
    ['return=minimal; foo="bar", respond-async;x=1 , wait="5"', 5_000, 'respond-async, wait=5'],
    ['wait=0', 0, 'wait=0'],
    ['wait=86400', 300_000, 'wait=300'],
    ['wait=999999999999', 300_000, 'wait=300'],
  ])('reads %s', (prefer, waitMs, applied) => {
    expect(readPreference({ prefer }, true)).toEqual({ waitMs, isResumable: false, applied });
  });

  it.each([undefined, '', 'return=minimal', 'handling=lenient, respond'])('ignores %s', (prefer) => {
    expect(readPreference({ ...(prefer !== undefined && { prefer }) }, true)).toBeUndefined();
  });

  it.each(['wait', 'wait=', 'wait=soon', 'wait=-1', 'respond-async, wait=1.5'])(
    'refuses %s and names the header',
    (prefer) => {
      expect(() => readPreference({ prefer }, true)).toThrow("'Prefer': expected a whole number of seconds");
    },
  );

  it('keeps the result as long as its client asks, within bounds, and only of a request that is taken later', () => {
    const read = (prefer: string) => readPreference({ prefer }, true);
    expect(read('respond-async, retain=600')).toMatchObject({
      retentionMs: 600_000,
      applied: 'respond-async, retain=600',
    });
    expect(read('retain=1, wait=5')).toMatchObject({ retentionMs: 60_000, applied: 'wait=5, retain=60' });
    expect(read('resumable, retain=99999999')).toMatchObject({ retentionMs: 30 * 24 * 3_600_000 });
    expect(read('retain=600')).toBeUndefined();
    expect(() => read('respond-async, retain=long')).toThrow("'Prefer': expected a whole number of seconds");
  });

  it('keeps the files of a video as long as its client asks, without another preference', () => {
    expect(readRetainSeconds({ prefer: 'retain=600' })).toBe(600);
    expect(readRetainSeconds({ prefer: 'wait=5, Retain="1"' })).toBe(60);
    expect(readRetainSeconds({ prefer: 'wait=5' })).toBeUndefined();
    expect(readRetainSeconds({})).toBeUndefined();
    expect(() => readRetainSeconds({ prefer: 'retain=long' })).toThrow("'Prefer'");
  });

  it('lets a stream be resumed, and nothing else', () => {
    expect(readPreference({ prefer: 'resumable' }, true)).toEqual({
      waitMs: 0,
      isResumable: true,
      applied: 'resumable',
    });
    expect(readPreference({ prefer: 'resumable' }, false)).toBeUndefined();
    expect(readPreference({ prefer: 'resumable, respond-async' }, true)).toMatchObject({ isResumable: false });
  });
});
