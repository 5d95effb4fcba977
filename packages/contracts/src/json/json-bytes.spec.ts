import { describe, expect, it } from '@jest/globals';
import { placesOfMembers } from './json-bytes.js';

const membersOf = (json: string): readonly (readonly [string, string])[] => {
  const bytes = Buffer.from(json);
  return placesOfMembers(bytes).map(({ name, start, end }) => [name, bytes.toString('utf8', start, end)]);
};

describe('the places of members', () => {
  it('hold the bytes of each value as they are', () => {
    expect(membersOf('{"a":1e400,"b":  7.0 ,"c":\n[1,{"d":"]"}],"e":{"f":","},"g":"\\"}","h" : null }')).toEqual([
      ['a', '1e400'],
      ['b', '7.0'],
      ['c', '[1,{"d":"]"}]'],
      ['e', '{"f":","}'],
      ['g', '"\\"}"'],
      ['h', 'null'],
    ]);
  });

  it('are two where a name is there twice, also if it is written in escapes', () => {
    expect(membersOf('{"model":"a","mod\\u0065l":"b","\\"":[],"é":2}')).toEqual([
      ['model', '"a"'],
      ['model', '"b"'],
      ['"', '[]'],
      ['é', '2'],
    ]);
  });

  it('are none in an empty object', () => {
    expect([membersOf('{}'), membersOf(' {\n} ')]).toEqual([[], []]);
  });
});
