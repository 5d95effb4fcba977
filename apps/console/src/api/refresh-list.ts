import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query';
import { type Query as Filters, get } from './call.js';
import { type ListPage, PAGE_SIZE } from './pages.js';

interface Identified {
  readonly id?: string;
  readonly request_id?: string;
}

type Pages = InfiniteData<ListPage<Identified>, string | null>;

/** A short list is read again whole. */
const MAX_WHOLE_PAGES = 2;

const idOf = (row: Identified): string => row.id ?? row.request_id ?? '';

/**
 * Puts the rows of a fresh first page before those that are loaded, and replaces rows that changed. Null: the fresh page
 * does not reach the loaded rows, so rows between them are missing.
 */
export function mergeHead(loaded: readonly ListPage<Identified>[], fresh: ListPage<Identified>) {
  const [first, ...others] = loaded;
  if (first === undefined) return null;
  const known = new Set(first.data.map(idOf));
  const freshById = new Map(fresh.data.map((row) => [idOf(row), row]));
  if (fresh.next_cursor === null) return [fresh];
  if (!fresh.data.some((row) => known.has(idOf(row)))) return null;
  const added = fresh.data.filter((row) => !known.has(idOf(row)));
  const kept = first.data.map((row) => freshById.get(idOf(row)) ?? row);
  return [{ ...first, data: [...added, ...kept] }, ...others];
}

/** Reads a list again. Of a long one it reads the first page only: a person who scrolled far must not wait for all pages. */
export async function refreshList(queries: QueryClient, query: Query): Promise<void> {
  const data = query.state.data as Pages | undefined;
  const [, path, filters] = query.queryKey as [string, string, Filters];
  if (data === undefined || data.pages.length <= MAX_WHOLE_PAGES) {
    await queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    return;
  }
  const fresh = await get<ListPage<Identified>>(path, { limit: PAGE_SIZE, ...filters });
  const pages = mergeHead(data.pages, fresh);
  if (pages === null) await queries.resetQueries({ queryKey: query.queryKey, exact: true });
  else queries.setQueryData(query.queryKey, { ...data, pages });
}
