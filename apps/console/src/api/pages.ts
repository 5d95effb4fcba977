import {
  type Query as CachedQuery,
  type InfiniteData,
  infiniteQueryOptions,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { get, type Query } from './call.js';

/** A page of a list: `next_cursor` is null on the last one. */
export interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

export const PAGE_SIZE = 100;

/** A short list is read again whole. */
const MOST_WHOLE_PAGES = 2;

/** True: too many pages are loaded to read all of them again whenever the person comes back to the window. */
export const isLongList = ({ queryKey: [kind], state }: Pick<CachedQuery, 'queryKey' | 'state'>): boolean =>
  kind === 'list' && ((state.data as InfiniteData<unknown> | undefined)?.pages.length ?? 0) > MOST_WHOLE_PAGES;

const isShortList = (query: Parameters<typeof isLongList>[0]): boolean => !isLongList(query);

/** Every list of the account interface: newest first, page after page. What happens is merged into a long one. */
export const listQuery = <Row>(path: string, query: Query = {}) =>
  infiniteQueryOptions({
    queryKey: ['list', path, query],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      get<ListPage<Row>>(path, { limit: PAGE_SIZE, ...query, cursor: pageParam }, signal),
    getNextPageParam: (page) => page.next_cursor,
    refetchOnMount: isShortList as never,
    refetchOnWindowFocus: isShortList as never,
    refetchOnReconnect: isShortList as never,
  });

/**
 * The rows of a list so far; undefined: the first page is still loading. `loadMore` is undefined on the last page, after
 * an error and while the list is read: a second call would end the first.
 */
export function useRows<Row>(path: string, query: Query = {}) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching, isFetchingNextPage } = useInfiniteQuery(
    listQuery<Row>(path, query),
  );
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data), [data]);
  const loadNext = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const loadMore = hasNextPage && !isFetching && error === null ? loadNext : undefined;
  return {
    rows,
    error,
    retry: () => void refetch(),
    hasMore: hasNextPage,
    loadMore,
    isLoadingMore: isFetchingNextPage,
  };
}
