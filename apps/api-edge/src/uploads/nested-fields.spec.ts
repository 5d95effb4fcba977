import { describe, expect, it } from '@jest/globals';
import { nestedFields } from './nested-fields.js';

const read = (fields: Readonly<Record<string, string>>) => nestedFields(fields, ['parameters']);

describe('the fields of a form', () => {
  it('become objects where their names have brackets', () => {
    expect(read({ model: 'm', 'input_reference[image_url]': 'u', 'a[b][c]': '1', 'a[b][d]': 'x' })).toEqual({
      model: 'm',
      input_reference: { image_url: 'u' },
      a: { b: { c: '1', d: 'x' } },
    });
  });

  it.each([
    ['7', 7],
    ['-0.5', -0.5],
    ['true', true],
    ['false', false],
    ['07', '07'],
    ['1e3', '1e3'],
    ['1234567890123456', '1234567890123456'],
    ['null', 'null'],
    ['', ''],
    ['a 7', 'a 7'],
  ])('have %j as %j where a number is meant', (text, value) => {
    expect(read({ 'parameters[seed]': text, 'parameters[deep][seed]': text, seed: text, parameters_: text })).toEqual({
      parameters: { seed: value, deep: { seed: value } },
      seed: text,
      parameters_: text,
    });
  });

  it.each(['a[]', 'a[b', 'a]b', '[a]', 'a[b]c', 'a[[b]]'])('keep the name %s, which is no object', (name) => {
    expect(read({ [name]: 'x' })).toEqual({ [name]: 'x' });
  });

  it('never reach a prototype', () => {
    const fields = read({
      '__proto__[polluted]': 'x',
      'a[__proto__][polluted]': 'x',
      'constructor[prototype][y]': 'x',
    });
    expect(Object.keys(fields)).toEqual(['__proto__', 'a', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  });

  it.each([
    [{ a: 'x', 'a[b]': 'y' }, 'a[b]'],
    [{ 'a[b]': 'y', a: 'x' }, 'a'],
    [{ [`a${'[b]'.repeat(9)}`]: 'x' }, `a${'[b]'.repeat(9)}`],
  ])('are refused by name if they contradict each other, or nest too deep', (fields, param) => {
    expect(() => read(fields as unknown as Record<string, string>)).toThrow(`'${param}'`);
  });
});
