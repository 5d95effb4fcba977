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

  it.each([
    ['text behind the object', '{"a":1}"', [['a', '1']]],
    ['a second name behind the object', '{"a":1} "b"', [['a', '1']]],
    ['a name without a value', '{"a":1,"b"}', [['a', '1']]],
    ['a list of texts', ',"a"', []],
    [
      'an escape that is none',
      '{"\\u":1,"b":2}',
      [
        ['\\u', '1'],
        ['b', '2'],
      ],
    ],
    [
      'a control character beside an escape',
      '{"\\n\u0001":1,"b":2}',
      [
        ['\\n\u0001', '1'],
        ['b', '2'],
      ],
    ],
    ['a name that never closes', '{"a":1,"b\\', [['a', '1']]],
  ])('ends at %s, and leaves the fault to the parser', (_what, json, expected) => {
    expect(membersOf(json)).toEqual(expected);
  });
});
