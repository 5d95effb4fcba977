import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { dialectIn, dialectOf } from './check-words.mjs';

describe('words that are gone', () => {
  it.each([
    ['a comment', '// Who is told looks later.', 'told'],
    ['a name in camel case', 'const shelvedAnswer = 1;', 'shelved'],
    ['a constant', 'const CHAT_LANE = 1;', 'lane'],
    ['a class', 'class AnswerShelf {}', 'shelf'],
    ['a sentence of a document', 'Whoever asks is served.', 'whoever'],
  ])('are found in %s', (_where, text, word) => {
    expect(dialectIn('a.ts', text)).toEqual([expect.stringContaining(`a.ts:1 uses "${word}"`)]);
  });

  it('are found in the name of a file', () => {
    expect(dialectIn('apps/api-edge/src/edge-doors.ts', 'apps/api-edge/src/edge-doors.ts')).toHaveLength(1);
  });

  it.each(['ts', 'tsx', 'mjs', 'md', 'lua', 'yaml'])('are found in files that end in .%s', (ending) => {
    const root = mkdtempSync(join(tmpdir(), 'words-'));
    writeFileSync(join(root, `a.${ending}`), 'Whoever asks is served.');
    expect(dialectOf(root)).toHaveLength(1);
  });

  it('are not found inside other words', () => {
    expect(dialectIn('a.ts', "fill the planets, I'll install, indoors, satellite")).toEqual([]);
  });

  it('may stand in names that stored data fix', () => {
    expect(dialectIn('a.ts', 'SELECT * FROM webhook_lanes')).toEqual([]);
  });
});
