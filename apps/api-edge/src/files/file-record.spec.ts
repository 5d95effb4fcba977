import { FILE_PURPOSES, PUBLIC_FILE_PURPOSES, type StoredObject } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { fileRecord, storedPurposeOf } from './file-record.js';

/** The purposes of a file in OpenAI's description. Its C# and Rust clients refuse a list with any other one. */
const OPENAI_PURPOSES = [
  ...['assistants', 'assistants_output', 'batch', 'batch_output', 'fine-tune', 'fine-tune-results', 'vision'],
  ...['user_data', 'evals'],
];

const purposeOf = (purpose: StoredObject['purpose']) =>
  fileRecord({ purpose, createdAtMs: 0, expiresAtMs: null } as StoredObject).purpose;

describe('the purpose of a file', () => {
  it.each(FILE_PURPOSES)('is one that typed clients of OpenAI read: %s', (purpose) => {
    expect(OPENAI_PURPOSES).toContain(purposeOf(purpose));
    expect(storedPurposeOf(purposeOf(purpose))).toBe(purpose);
  });

  it('finds kept images and videos in lists by both of its names', () => {
    expect(storedPurposeOf('assistants_output')).toBe('generation');
    expect(storedPurposeOf('generation')).toBe('generation');
    expect(storedPurposeOf(undefined)).toBeUndefined();
    expect(PUBLIC_FILE_PURPOSES).not.toContain('generation');
  });
});
