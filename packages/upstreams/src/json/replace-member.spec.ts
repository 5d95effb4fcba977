import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { replaceMember, replaceMembers, replaceTopMembers } from './replace-member.js';

const replaced = (json: string, path = ['model'], value = '"new"'): string =>
  replaceMember(Buffer.from(json), path, value).toString('utf8');

describe('replaceMember', () => {
  it('changes only the value', () => {
    expect(replaced('{ "a" : [1, 2.50],\n"model"\t: "old" , "b":"\\u00e9\\/" }')).toBe(
      '{ "a" : [1, 2.50],\n"model"\t: "new" , "b":"\\u00e9\\/" }',
    );
  });

  it('finds a value at a nested path, and only there', () => {
    expect(replaced('{"model":1,"message":{"x":{"model":2},"model":3}}', ['message', 'model'])).toBe(
      '{"model":1,"message":{"x":{"model":2},"model":"new"}}',
    );
  });

  it('returns the same buffer without a match', () => {
    const json = Buffer.from('{"a":{"model":1},"message":"model"}');
    expect(replaceMember(json, ['model'], '"new"')).toBe(json);
    expect(replaceMember(json, ['message', 'model'], '"new"')).toBe(json);
  });

  it('replaces every value of a repeated name, with escapes too', () => {
    expect(replaced('{"model":"a","mod\\u0065l":"b","model":{"c":1}}')).toBe(
      '{"model":"new","mod\\u0065l":"new","model":"new"}',
    );
  });

  it('equals JSON.parse for any object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), fc.string(), (object, old, name) => {
        const before = { ...object, [name]: old };
        const json = JSON.stringify(before, null, 1);
        expect(JSON.parse(replaced(json, [name], '"new"'))).toEqual({ ...JSON.parse(json), [name]: 'new' });
      }),
    );
  });

  it.each([['[]'], ['{"a":1'], ['{"a":1} x'], ['null'], [`{"a":${'['.repeat(200)}${']'.repeat(200)}}`]])(
    'refuses %.20s',
    (json) => {
      expect(() => replaced(json)).toThrow(expect.objectContaining({ code: 'upstream_error' }));
    },
  );
});

describe('replaceTopMembers', () => {
  const rewritten = (json: string, added: Readonly<Record<string, string>>) => {
    const replacement = (name: string) => (name === 'usage' ? '{}' : undefined);
    return replaceTopMembers(Buffer.from(json), replacement, added).toString('utf8');
  };

  it('replaces values of the whole only, and inserts what is added before them', () => {
    expect(rewritten(' { "data":[{"usage":1}], "usage" : {"a":1} }', { created: '5' })).toBe(
      ' {"created":5, "data":[{"usage":1}], "usage" : {} }',
    );
  });

  it('returns the same buffer if nothing changes', () => {
    const json = Buffer.from('{"data":[]}');
    expect(replaceTopMembers(json, () => undefined)).toBe(json);
  });
});

describe('replaceMembers', () => {
  const values = { replaced: { id: '"ours"', model: '"m"' }, ensured: { conversation: '{"id":"c"}' } };
  const rewritten = (json: string, path: readonly string[] = []) =>
    replaceMembers(Buffer.from(json), path, values).toString('utf8');

  it('replaces what is there, every repetition of it, and leaves all other bytes', () => {
    expect(rewritten('{ "id" : "a", "x":{"id":1}, "conversation":null,"id":2 }')).toBe(
      '{ "id" : "ours", "x":{"id":1}, "conversation":{"id":"c"},"id":"ours" }',
    );
  });

  it('inserts what must be there', () => {
    expect(rewritten('{"a":1,"r":{"i\\u0064":5}}', ['r'])).toBe(
      '{"a":1,"r":{"conversation":{"id":"c"},"i\\u0064":"ours"}}',
    );
  });

  it('rejects what is no JSON object', () => {
    for (const json of ['[]', '{"a":', '{} x']) {
      expect(() => rewritten(json)).toThrow(expect.objectContaining({ code: 'upstream_error' }));
    }
  });
});
