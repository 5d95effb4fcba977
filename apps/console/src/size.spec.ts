import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from '@jest/globals';

/** What a browser loads before the first page shows, and what each further page adds. */
const FIRST_PAGE_BYTES = 200 * 1_024;
const FURTHER_PAGE_BYTES = 80 * 1_024;

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly css?: readonly string[];
}

const dist = new URL('../dist/', import.meta.url);
let chunks: Readonly<Record<string, Chunk>>;

beforeAll(() => {
  const manifest = new URL('.vite/manifest.json', dist);
  expect(existsSync(manifest)).toBe(true);
  chunks = JSON.parse(readFileSync(manifest, 'utf8'));
});

/** The files of a chunk and of everything that it imports. */
function filesOf(name: string, seen = new Set<string>()): ReadonlySet<string> {
  const chunk = chunks[name];
  if (chunk === undefined || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const file of chunk.css ?? []) seen.add(file);
  for (const imported of chunk.imports ?? []) filesOf(imported, seen);
  return seen;
}

const compressedBytes = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(new URL(file, dist))).length, 0);

it('keeps the first page and each further page small', () => {
  const entry = Object.keys(chunks).find((name) => chunks[name]?.isEntry === true) ?? '';
  const first = filesOf(entry);
  expect(first.size).toBeGreaterThan(2);
  expect(compressedBytes(new Set([...first, 'index.html']))).toBeLessThan(FIRST_PAGE_BYTES);
  const pages = chunks[entry]?.dynamicImports?.filter((name) => name.startsWith('src/pages/')) ?? [];
  expect(pages.length).toBeGreaterThan(8);
  for (const page of pages) {
    const added = [...filesOf(page)].filter((file) => !first.has(file));
    expect({ page, isSmall: compressedBytes(added) < FURTHER_PAGE_BYTES }).toEqual({ page, isSmall: true });
  }
});
