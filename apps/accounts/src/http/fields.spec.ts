import { describe, expect, it } from '@jest/globals';
import { instant, oneLine, text } from './fields.js';

const messageOf = (result: { error?: { issues: readonly { message: string }[] } | undefined }) =>
  result.error?.issues[0]?.message;

describe('a time', () => {
  it.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '2026-11-21T12:00:00+02:00'])('may be %s', (time) => {
    expect(instant.parse(time)).toEqual(new Date(time));
  });

  it.each(['0000-06-01T00:00:00Z', '0001-01-01T00:00:00+10:00', '9999-12-31T23:59:59-10:00'])(
    'is refused where the database has no year: %s',
    (time) => {
      expect(messageOf(instant.safeParse(time))).toBe('must be in a year from 1 to 9999');
    },
  );
});

describe.each([
  ['text', text(10)],
  ['one line', oneLine(10)],
])('%s', (_name, schema) => {
  it('may hold every whole character', () => {
    expect(schema.parse('a😀é')).toBe('a😀é');
  });

  it.each(['\ud83d', 'a\ude00b'])('refuses half of a pair: %j', (given) => {
    expect(messageOf(schema.safeParse(given))).toBe('must not contain half of a surrogate pair');
  });
});

describe('a name', () => {
  const name = oneLine(100);

  it.each(['Zoë', '研究', 'فريق', '👩‍👩‍👧', 'a\u200db'])('may be %s', (given) => {
    expect(name.parse(given)).toBe(given);
  });

  it.each(['\u200b', '\u3164', '\u2800', '\u00ad\ufe0f', ''])('needs something to see: %j', (given) => {
    expect(name.safeParse(given).success).toBe(false);
  });

  it.each(['a\u202eb', '\u2067a', 'a\u2028b', 'a\u0007'])('turns no text and breaks no line: %j', (given) => {
    expect(messageOf(name.safeParse(given))).toBe('must be one line, without control characters');
  });
});
