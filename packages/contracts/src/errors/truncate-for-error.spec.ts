import { describe, expect, it } from '@jest/globals';
import { fieldName, truncateForError } from './truncate-for-error.js';

describe('shown', () => {
  it('leaves alone what is short', () => {
    expect(truncateForError('x'.repeat(100))).toBe('x'.repeat(100));
  });

  it('shows the beginning of what is long, and that there was more', () => {
    expect(truncateForError('x'.repeat(100_000))).toBe(`${'x'.repeat(100)}…`);
    expect(truncateForError('abcdef', 3)).toBe('abc…');
  });

  it('leaves no half of a character at the end', () => {
    expect(truncateForError('a😀', 2).isWellFormed()).toBe(true);
  });
});

describe('the name of a field', () => {
  it.each([
    [['messages', 0, 'content', 1], 'messages[0].content[1]'],
    [[0], '[0]'],
    [[], ''],
    [['k'.repeat(500), 'a'], `${'k'.repeat(100)}….a`],
  ])('%j is %s', (path, name) => {
    expect(fieldName(path)).toBe(name);
  });
});
