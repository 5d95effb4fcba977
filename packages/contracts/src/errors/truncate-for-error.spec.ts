import { describe, expect, it } from '@jest/globals';
import { fieldName, truncateForError } from './truncate-for-error.js';

describe('truncateForError', () => {
  it('returns a short text unchanged', () => {
    expect(truncateForError('x'.repeat(100))).toBe('x'.repeat(100));
  });

  it('cuts a long text and marks the cut', () => {
    expect(truncateForError('x'.repeat(100_000))).toBe(`${'x'.repeat(100)}…`);
    expect(truncateForError('abcdef', 3)).toBe('abc…');
  });

  it('never ends in half a character', () => {
    expect(truncateForError('a😀', 2).isWellFormed()).toBe(true);
  });
});

describe('fieldName', () => {
  it.each([
    [['messages', 0, 'content', 1], 'messages[0].content[1]'],
    [[0], '[0]'],
    [[], ''],
    [['k'.repeat(500), 'a'], `${'k'.repeat(100)}….a`],
  ])('renders %j as %s', (path, name) => {
    expect(fieldName(path)).toBe(name);
  });
});
