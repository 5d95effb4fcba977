import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { get, type Query } from './call.js';

/** A page of a list: `next_cursor` is null on the last one. */
export interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

export const PAGE_SIZE = 100;

/** Every list of the account interface: newest first, page after page. */
export const listQuery = <Row>(path: string, query: Query = {}) =>
  infiniteQueryOptions({
    queryKey: ['list', path, query],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      get<ListPage<Row>>(path, { limit: PAGE_SIZE, ...query, cursor: pageParam }, signal),
    getNextPageParam: (page) => page.next_cursor,
  });

/** The rows of a list so far; undefined: the first page is still loading. `loadMore` does nothing on the last page. */
export function useRows<Row>(
  path: string,
  query: Query = {},
  refetchInterval: number | false | ((rows: readonly Row[]) => number | false) = false,
) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...listQuery<Row>(path, query),
    refetchInterval:
      typeof refetchInterval === 'function'
        ? ({ state }) => refetchInterval(state.data?.pages.flatMap((page) => page.data) ?? [])
        : refetchInterval,
  });
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data), [data]);
  const loadMore = useCallback(() => {
    if (hasNextPage) void fetchNextPage();
  }, [hasNextPage, fetchNextPage]);
  return { rows, error, retry: () => void refetch(), loadMore, isLoadingMore: isFetchingNextPage };
}
