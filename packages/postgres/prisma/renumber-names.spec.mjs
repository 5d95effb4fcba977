import { describe, expect, it } from '@jest/globals';
import { highestNames, namedEdges, renumberNames } from './renumber-names.mjs';

/** Two nodes of input, one of output, one root; the last name is an enum, and `where` is in all nodes. */
const NAMES = ['first', 'second', ...Array.from({ length: 200 }, (_, index) => `unused_${index}`), 'where', 'Kind'];
const [WHERE, KIND] = [202, 203];
const number = (value) => (value < 128 ? [value] : [(value & 127) | 128, value >>> 7]);
const inputEdge = (name, enumPlace) => [...number(name), 3, 1, 2, ...number(enumPlace), 33];
const GRAPH = Buffer.from([
  ...[2, 1, 1],
  ...[2, ...inputEdge(0, 0), ...inputEdge(WHERE, KIND + 1)],
  ...[1, ...inputEdge(WHERE, 0)],
  ...[2, ...number(1), 0, 1, ...number(WHERE), 2, 0],
  ...[...number(1), 1, 1],
]).toString('base64url');

describe('renumberNames', () => {
  const known = { strings: NAMES, graph: GRAPH };

  it('keeps every edge with its name', () => {
    const renumbered = renumberNames(known);
    expect(namedEdges(renumbered)).toEqual(namedEdges(known));
    expect(namedEdges(renumbered)[0][1]).toMatchObject({ name: 'where', enum: 'Kind', mask: [3, 1], flags: 33 });
    expect(renumbered.strings.toSorted()).toEqual(NAMES.toSorted());
  });

  it('gives low numbers to the names of many edges', () => {
    const renumbered = renumberNames(known);
    expect(renumbered.strings[0]).toBe('where');
    expect([highestNames(known), highestNames(renumbered)]).toEqual([
      [WHERE, WHERE, WHERE],
      [1, 0, 2],
    ]);
  });

  it('refuses another format', () => {
    const longer = Buffer.concat([Buffer.from(GRAPH, 'base64url'), Buffer.from([1])]).toString('base64url');
    expect(() => renumberNames({ strings: NAMES, graph: longer })).toThrow('is another one');
    expect(() => renumberNames({ strings: [...NAMES, 'first'], graph: GRAPH })).toThrow('is another one');
  });
});
