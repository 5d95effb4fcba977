import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query';
import { type Query as Filters, get } from './call.js';
import { isLongList, type ListPage, PAGE_SIZE } from './pages.js';

interface Identified {
  readonly id?: string;
  readonly request_id?: string;
}

type Pages = InfiniteData<ListPage<Identified>, string | null>;

const idOf = (row: object): string => {
  const { id, request_id: requestId } = row as Identified;
  return id ?? requestId ?? '';
};

/**
 * Puts a fresh first page in place of the loaded rows that it covers: new rows come, changed ones change, and those that
 * ended go. Null: the last fresh row is not loaded, so rows between are missing.
 */
export function mergeHead<Row extends object>(
  loaded: readonly ListPage<Row>[],
  fresh: ListPage<Row>,
): ListPage<Row>[] | null {
  const [first, ...others] = loaded;
  if (first === undefined) return null;
  if (fresh.next_cursor === null) return [fresh];
  const last = fresh.data.at(-1);
  const covered = loaded.flatMap(({ data }) => data.map(idOf)).indexOf(last === undefined ? '' : idOf(last)) + 1;
  if (covered === 0) return null;
  let before = first.data.length;
  const rest = others.map((page) => {
    const own = Math.max(0, covered - before);
    before += page.data.length;
    return own === 0 ? page : { ...page, data: page.data.slice(own) };
  });
  return [{ ...first, data: [...fresh.data, ...first.data.slice(covered)] }, ...rest];
}

/** Reads a list again. Of a long one it reads the first page only: a person who scrolled far must not wait for all pages. */
export async function refreshList(queries: QueryClient, query: Query): Promise<void> {
  const data = query.state.data as Pages | undefined;
  const [, path, filters] = query.queryKey as [string, string, Filters];
  if (data === undefined || !isLongList(query)) {
    await queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    return;
  }
  const fresh = await get<ListPage<Identified>>(path, { limit: PAGE_SIZE, ...filters });
  const pages = mergeHead(data.pages, fresh);
  if (pages === null) await queries.resetQueries({ queryKey: query.queryKey, exact: true });
  else queries.setQueryData(query.queryKey, { ...data, pages });
}

/**
 * After a change of the person: everything on screen is read again. A long list begins anew, because a change may be in
 * any of its pages.
 */
export function refreshAll(queries: QueryClient): void {
  void queries.invalidateQueries({ predicate: (query) => !isLongList(query) });
  void queries.resetQueries({ predicate: isLongList });
}
