import { describe, expect, it } from '@jest/globals';
import { asksForCompaction, packCompaction, unpackCompaction } from './compaction.js';

describe('a compaction of the gateway', () => {
  it.each(['', 'Plain text', 'Umlaute äöü, 漢字, 🙂\n"quotes"'])('returns its summary: %j', (summary) => {
    expect(unpackCompaction(packCompaction(summary))).toBe(summary);
  });

  it.each(['gAAAAABvendor', '', null, 7, undefined])('is not %j', (content) => {
    expect(unpackCompaction(content)).toBeUndefined();
  });
});

describe('a request for a compaction', () => {
  it.each([
    [true, [{ role: 'user', content: 'Hi' }, { type: 'compaction_trigger' }]],
    [false, [{ type: 'compaction_trigger' }, { role: 'user', content: 'Hi' }]],
    [false, []],
    [false, 'compaction_trigger'],
  ])('%s: %j', (isAsked, input) => {
    expect(asksForCompaction(input)).toBe(isAsked);
  });
});
