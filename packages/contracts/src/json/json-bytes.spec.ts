import { describe, expect, it } from '@jest/globals';
import { locateMembers } from './json-bytes.js';

const membersOf = (json: string): readonly (readonly [string, string])[] => {
  const bytes = Buffer.from(json);
  return locateMembers(bytes).map(({ name, start, end }) => [name, bytes.toString('utf8', start, end)]);
};

describe('locateMembers', () => {
  it('locates the exact bytes of each value', () => {
    expect(membersOf('{"a":1e400,"b":  7.0 ,"c":\n[1,{"d":"]"}],"e":{"f":","},"g":"\\"}","h" : null }')).toEqual([
      ['a', '1e400'],
      ['b', '7.0'],
      ['c', '[1,{"d":"]"}]'],
      ['e', '{"f":","}'],
      ['g', '"\\"}"'],
      ['h', 'null'],
    ]);
  });

  it('locates each repetition of a name, also one written in escapes', () => {
    expect(membersOf('{"model":"a","mod\\u0065l":"b","\\"":[],"é":2}')).toEqual([
      ['model', '"a"'],
      ['model', '"b"'],
      ['"', '[]'],
      ['é', '2'],
    ]);
  });

  it('finds no member in an empty object', () => {
    expect([membersOf('{}'), membersOf(' {\n} ')]).toEqual([[], []]);
  });
});
