import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ALLOWED_BETAS, allowedBetas } from './anthropic-messages/pass-through/betas.js';
import { renderFields } from './field-table/render-fields.js';
import { FIELD_TABLES } from './field-tables.js';

const DOCUMENTS = new URL('../../../docs/fields/', import.meta.url);

const BETAS = [
  '',
  '## Names of anthropic-beta',
  '',
  'These names are sent with any date. Any other is dropped, and reported as `anthropic-beta:<name>` in `x-gateway-dropped`.',
  '',
  ...[...ALLOWED_BETAS].toSorted().map((name) => `- \`${name}\``),
];

const pages = Object.entries(FIELD_TABLES).map(
  ([id, table]) => [`${id}.md`, renderFields(id, table, id === 'messages-pass-through' ? BETAS : [])] as const,
);

describe('docs/fields', () => {
  it('equals the tables (regenerate with UPDATE_GOLDEN=1 and review the diff)', () => {
    if (process.env.UPDATE_GOLDEN === '1') {
      mkdirSync(DOCUMENTS, { recursive: true });
      for (const [file, page] of pages) writeFileSync(new URL(file, DOCUMENTS), page);
    }
    for (const [file, page] of pages) expect(readFileSync(new URL(file, DOCUMENTS), 'utf8')).toBe(page);
    expect(readdirSync(DOCUMENTS).toSorted()).toEqual(pages.map(([file]) => file).toSorted());
  });
});

describe('allowedBetas', () => {
  it('keeps the bytes of a header whose names are all allowed', () => {
    const header = 'claude-code-20250219, interleaved-thinking-2025-05-14,context-1m-2025-08-07';
    expect(allowedBetas(header)).toEqual({ header, dropped: [] });
    expect(allowedBetas(undefined)).toEqual({ header: undefined, dropped: [] });
  });

  it.each([
    ['compact-2026-01-12', 'compact-2026-09-04', 'advisor-tool-2026-03-01', 'mcp-client-2025-11-20'],
    ['fast-mode-2026-02-01', 'code-execution-2025-08-25', 'skills-2025-10-02', 'files-api-2025-04-14'],
    ['server-side-fallback-2026-07-01', 'fallback-credit-2026-07-01', 'user-profiles-2026-09-04', 'unknown'],
  ])('drops %s, %s, %s and %s, which the vendor bills apart or that has no row', (...names) => {
    expect(allowedBetas(names.join(','))).toEqual({ header: undefined, dropped: names });
    expect(allowedBetas(`effort-2025-11-24, ${names.join(', ')}`).header).toBe('effort-2025-11-24');
  });

  it('reads names without a date, or in another case, as unknown', () => {
    expect(allowedBetas('effort,Effort-2025-11-24').dropped).toEqual(['effort', 'Effort-2025-11-24']);
  });
});

describe('an id of a file in a prompt', () => {
  it.each([
    ['openai-chat', 'messages[].content[].file.file_id'],
    ['responses-to-neutral', 'input[].content[].file_id'],
    ['messages-pass-through', 'messages[].content[].source.type'],
  ])('is refused by %s with words about what the gateway takes: %s', (id, path) => {
    expect(FIELD_TABLES[id as keyof typeof FIELD_TABLES].fields[path]?.why).toMatch(/content itself.*\/v1\/files/);
  });
});
