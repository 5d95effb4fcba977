import { describe, expect, it } from '@jest/globals';
import { JsonCursor } from './json-cursor.js';

const MALFORMED = new Error('not JSON');

function cursorAt(json: string): JsonCursor {
  const cursor = new JsonCursor(() => MALFORMED);
  cursor.open(Buffer.from(json));
  return cursor;
}

/** Names of an object's members with the source text of their values. */
function membersOf(json: string): readonly (readonly [string, string])[] {
  const bytes = Buffer.from(json);
  const cursor = cursorAt(json);
  const members: [string, string][] = [];
  cursor.enterObject();
  for (let isFirst = true; cursor.nextMember(isFirst); isFirst = false) {
    const name = ['a', 'b', 'c'].find((candidate) => cursor.keyIs(candidate)) ?? '?';
    cursor.peek();
    const start = cursor.position;
    cursor.skipValue();
    members.push([name, bytes.toString('utf8', start, cursor.position)]);
  }
  cursor.expectEnd();
  return members;
}

describe('JsonCursor.nextMember', () => {
  it('locates each value with its exact source bytes', () => {
    expect(membersOf('{"a":1e400,"b" : [1,{"d":"]"}] ,"c":"\\"}","é":null}')).toEqual([
      ['a', '1e400'],
      ['b', '[1,{"d":"]"}]'],
      ['c', '"\\"}"'],
      ['?', 'null'],
    ]);
  });

  it('finds no member in an empty object', () => {
    expect([membersOf('{}'), membersOf(' {\n} ')]).toEqual([[], []]);
  });

  it.each(['{"a"1}', '{"a":1 "b":2}', '{"a":1', '{a:1}', '[1]', '', '{"a":1,}', '{"a":1} x'])('rejects %s', (json) => {
    expect(() => membersOf(json)).toThrow(MALFORMED);
  });
});

describe('JsonCursor.nextElement', () => {
  it('stops at each element and behind the array', () => {
    const cursor = cursorAt('["ab", null ,"c"]');
    const lengths: number[] = [];
    cursor.enterArray();
    for (let isFirst = true; cursor.nextElement(isFirst); isFirst = false) lengths.push(cursor.readNullableString());
    cursor.expectEnd();
    expect(lengths).toEqual([2, 0, 1]);
  });
});

describe('JsonCursor.keyIs and decodedKeyIs', () => {
  it('differ for a name that is written with escapes', () => {
    const cursor = cursorAt('{"mod\\u0065l":1}');
    cursor.enterObject();
    cursor.nextMember(true);
    expect([cursor.keyIs('model'), cursor.decodedKeyIs('model'), cursor.decodedKeyIs('modem')]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('reject a name that is only a prefix', () => {
    const cursor = cursorAt('{"models":1}');
    cursor.enterObject();
    cursor.nextMember(true);
    expect([cursor.keyIs('model'), cursor.keyIs('models')]).toEqual([false, true]);
  });
});

describe('JsonCursor.readString', () => {
  it.each(['', 'abc', 'é€😀', '"\\/\b\f\n\r\t', '\u0000\u007f\u0080\u07ff\u0800', '😀'.repeat(50)])(
    'measures %j in UTF-8 bytes, as text and as escapes',
    (text) => {
      const escaped = `"${[...Array(text.length).keys()]
        .map((index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`)
        .join('')}"`;
      const expected = Buffer.byteLength(text);
      expect([cursorAt(JSON.stringify(text)).readString(), cursorAt(escaped).readString()]).toEqual([
        expected,
        expected,
      ]);
    },
  );

  it.each(['"a', '"a\\', '"a\\x"', '"\\u12g4"', '"\\u12', '"a\nb"', 'a"', '1'])('rejects %j', (json) => {
    expect(() => cursorAt(json).readString()).toThrow(MALFORMED);
  });
});

describe('JsonCursor.skipValue', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  it.each(['0', '-0.5e+3', '120', 'true', 'false', 'null', '"x"', '[]', '{"a":[{}]}', nested(128)])(
    'accepts %s',
    (json) => {
      const cursor = cursorAt(` ${json} `);
      cursor.skipValue();
      expect(() => cursor.expectEnd()).not.toThrow();
    },
  );

  it.each(['', '01', '1.', '.5', '+1', '-', 'nul', 'nulL', 'True', 'NaN', '[}', '{]', '[', ']', ',', nested(129)])(
    'rejects %s',
    (json) => {
      expect(() => cursorAt(json).skipValue()).toThrow(MALFORMED);
    },
  );
});

describe('JsonCursor.skipNull', () => {
  it('skips null and leaves every other value', () => {
    const cursor = cursorAt('[null,1]');
    cursor.enterArray();
    expect(cursor.nextElement(true) && cursor.skipNull() && cursor.nextElement(false)).toBe(true);
    expect([cursor.skipNull(), cursor.position]).toEqual([false, 6]);
  });
});

describe('JsonCursor.open', () => {
  it('starts again with another text', () => {
    const cursor = cursorAt('"first"');
    cursor.readString();
    cursor.open(Buffer.from('"2nd"'));
    expect([cursor.position, cursor.readString()]).toEqual([0, 3]);
  });
});
