import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonMembers } from './json-members.js';

type Fields = Readonly<Record<string, unknown>>;

const of = (json: string): JsonMembers<Fields> => JsonMembers.of(Buffer.from(json));
const written = (members: JsonMembers<Fields>): string => members.bytes().toString('utf8');

describe('JsonMembers', () => {
  it('encodes unchanged members byte for byte', () => {
    const exact =
      '{"seed":7.0,"big":1e400,"id":12345678901234567890,"text":"\\u00e9\\/\\ud83d\\ude00é😀","half":"\\ud800"}';
    expect(written(of(exact))).toBe(exact);
    expect(written(of('{ "a" : [1, 2.50] ,\n"b"\t: {"c":"}"} }'))).toBe('{"a":[1, 2.50],"b":{"c":"}"}}');
  });

  it('replaces, adds and removes members', () => {
    const changed = of('{"model":"a","stop":[],"n":1.0}').with({ model: 'b', stop: undefined, stream: true });
    expect(written(changed)).toBe('{"model":"b","n":1.0,"stream":true}');
  });

  it('reads single members', () => {
    const members = of('{"a":{"b":[1]},"c":null,"":"x"}');
    expect([members.read('a'), members.read('c'), members.read(''), members.read('d')]).toEqual([
      { b: [1] },
      null,
      'x',
      undefined,
    ]);
  });

  it('holds the last value of a repeated name, as JSON.parse does', () => {
    const twice = of('{"max_tokens":9,"model":"a","max\\u005ftokens":1,"modalities":["audio"],"modalities":["text"]}');
    expect(twice.read('max_tokens')).toBe(1);
    expect(written(twice)).toBe('{"max_tokens":1,"model":"a","modalities":["text"]}');
  });

  it('equals JSON.parse for any members and spacing', () => {
    const text = fc.string({ unit: fc.constantFrom('\\', '"', '[', '}', ',', ':', 'é', '😀', 'x'), maxLength: 200 });
    const value = fc.oneof(fc.jsonValue(), text, fc.array(text), fc.dictionary(text, text));
    const member = fc.tuple(fc.oneof(fc.string(), text), value);
    fc.assert(
      fc.property(fc.array(member), fc.constantFrom('', ' ', '\n', '\t  '), (members, gap) => {
        const texts = members.map(([name, inner]) => [JSON.stringify(name), JSON.stringify(inner, null, gap)]);
        const json = `${gap}{${texts.map((pair) => gap + pair.join(`${gap}:${gap}`) + gap).join(',')}}${gap}`;
        expect(JSON.parse(written(of(json)))).toEqual(JSON.parse(json));
        expect(JSON.parse(written(of(json).with({ model: 'm' })))).toEqual({ ...JSON.parse(json), model: 'm' });
      }),
    );
  });
});
