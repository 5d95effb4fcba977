import { SourceMap } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { mapOfLines } from './map-of-lines.mjs';

/** Two sources. The second line of the program has no source, and the last one goes back by many lines. */
const MAP = {
  version: 3,
  sources: ['one.ts', 'two.ts'],
  names: ['name'],
  mappings: 'AAAAA,IAAI,KACkB;;ACqzBtB,IADrzBsB,GACI;ADtBA,A',
};

const placesOf = (map) => {
  const found = new SourceMap(map);
  return [0, 2, 3].map((line) => {
    const { originalSource, originalLine } = found.findEntry(line, 0);
    return [originalSource, originalLine];
  });
};

describe('a map of lines', () => {
  it('names the same source and line as the map for the beginning of each line', () => {
    expect(placesOf(mapOfLines(MAP))).toEqual(placesOf(MAP));
  });

  it('has at most one segment a line, and no names', () => {
    const { mappings, names, sources } = mapOfLines(MAP);
    expect(mappings.split(';')).toEqual([expect.any(String), '', expect.any(String), expect.any(String)]);
    expect([mappings.includes(','), names, sources]).toEqual([false, [], MAP.sources]);
  });
});
