import { describe, expect, it } from '@jest/globals';
import type { CatalogueModel } from '../catalogue-model.js';
import { messagesModelEntries } from './messages-model-entry.js';
import { modelAt } from './model-at.js';

function entryOf(id: string, day: string) {
  const atMs = Date.parse(day);
  return messagesModelEntries(modelAt(id, atMs) as CatalogueModel, atMs)[0];
}

describe('the life of a model in the messages format', () => {
  it('is active without an end, and until clients are warned', () => {
    const active = { lifecycle: 'active', deprecated_at: null, retires_at: null };
    expect(entryOf('cl-opus-4-7', '2026-11-22')).toMatchObject({ ...active, line: 'opus', capabilities: null });
    expect(entryOf('gp-5-pro', '2026-11-10')).toMatchObject({ ...active, line: null });
  });

  it('is deprecated from the warning on, also under a successor', () => {
    const deprecated = {
      lifecycle: 'deprecated',
      deprecated_at: '2026-11-11T00:00:00.000Z',
      retires_at: '2026-12-11T00:00:00.000Z',
    };
    for (const day of ['2026-11-11', '2026-12-12']) expect(entryOf('gp-5-pro', day)).toMatchObject(deprecated);
  });
});
