import { hashKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Query } from './call.js';
import { listQuery, useRows } from './pages.js';
import { refreshList } from './refresh-list.js';

const NO_ROWS: readonly never[] = [];

/**
 * A list whose changes no event announces: it is read again every few milliseconds that `everyMs` says, while the page is
 * seen. Of a long list only the first page is read.
 */
export function usePolledRows<Row>(path: string, query: Query, everyMs: (rows: readonly Row[]) => number | false) {
  const queries = useQueryClient();
  const list = useRows<Row>(path, query);
  const queryHash = hashKey(listQuery<Row>(path, query).queryKey);
  const ms = everyMs(list.rows ?? NO_ROWS);
  useEffect(() => {
    if (ms === false) return undefined;
    const timer = setInterval(() => {
      const cached = queries.getQueryCache().get(queryHash);
      if (cached === undefined || cached.state.fetchStatus !== 'idle' || document.visibilityState === 'hidden') return;
      // A failed read is repeated with the next one.
      refreshList(queries, cached).catch(() => cached.invalidate());
    }, ms);
    return () => clearInterval(timer);
  }, [queries, queryHash, ms]);
  return list;
}
