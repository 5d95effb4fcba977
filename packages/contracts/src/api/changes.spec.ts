import { describe, expect, it } from '@jest/globals';
import { changeHeaders, changesBetween, changesPart, mergeChanges, NO_CHANGES } from './changes.js';

describe('changesBetween', () => {
  it('reports a replaced value, a default that was written and a field that is not sent', () => {
    const given = { temperature: 2, top_p: 0.5, seed: 7, stop: null };
    expect(changesBetween(given, { temperature: 1, seed: 7, size: '1024*1024' })).toEqual({
      filled: { temperature: '1', size: '1024*1024' },
      dropped: ['top_p'],
    });
  });

  it('compares objects by their content, and reports nothing of equal fields', () => {
    expect(changesBetween({ a: { b: [1] }, c: null }, { a: { b: [1] }, d: undefined })).toBe(NO_CHANGES);
    expect(changesBetween({ a: { b: [1] } }, { a: { b: [2] } }).filled).toEqual({ a: '{"b":[2]}' });
  });
});

describe('mergeChanges', () => {
  it('lets the later value and the later drop win', () => {
    const first = { filled: { a: '1', b: '2' }, dropped: ['c', 'd'] };
    expect(mergeChanges(first, { filled: { a: '3', c: '4' }, dropped: ['b', 'd'] })).toEqual({
      filled: { a: '3', c: '4' },
      dropped: ['d', 'b'],
    });
    expect(mergeChanges(undefined, undefined)).toBe(NO_CHANGES);
  });
});

describe('changesPart', () => {
  it('carries the first entries and a mark: a body may have thousands of unknown names', () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `field_${at}`);
    const filled = Object.fromEntries(names.map((name) => [name, '1']));
    const { changes } = changesPart({ filled, dropped: names });
    expect(changes?.dropped).toHaveLength(65);
    expect(changes?.dropped.slice(-2)).toEqual(['field_63', '...']);
    expect(Object.entries(changes?.filled ?? {}).slice(-2)).toEqual([
      ['field_63', '1'],
      ['...', ''],
    ]);
  });
});

describe('changeHeaders', () => {
  it('writes names and values in the syntax of a header', () => {
    expect(
      changeHeaders({ filled: { 'parameters.size': '1472*1104', effort: 'x, y=z\r\nü' }, dropped: ['a b'] }),
    ).toEqual({
      'x-gateway-filled': 'parameters.size=1472*1104, effort=x%2C%20y%3Dz%0D%0A%C3%BC',
      'x-gateway-dropped': 'a%20b',
    });
    expect(changeHeaders(NO_CHANGES)).toEqual({});
  });

  it('bounds each name, each value and each header', () => {
    const [name, value] = ['n'.repeat(1_000), 'v'.repeat(1_000)];
    const filled = changesBetween({}, { [name]: value }).filled;
    expect(changeHeaders({ filled, dropped: [] })['x-gateway-filled']).toBe(
      `${'n'.repeat(64)}...=${'v'.repeat(64)}...`,
    );
    const many = Array.from({ length: 500 }, (_, index) => `field_${index}`);
    const { 'x-gateway-dropped': list = '' } = changeHeaders({ filled: {}, dropped: many });
    expect(list.length).toBeLessThan(1_100);
    expect(list.endsWith(', ...')).toBe(true);
  });

  it('never breaks on half a character', () => {
    const { filled } = changesBetween({}, { a: `${'v'.repeat(63)}😀` });
    expect(changeHeaders({ filled, dropped: [] })['x-gateway-filled']).toMatch(/^[\x21-\x7e]+$/);
  });
});
