import { infiniteQueryOptions } from '@tanstack/react-query';
import { get, type Query } from './call.js';

/** A page of a list: `next_cursor` is null on the last one. */
export interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

const PAGE_SIZE = 100;

/** Every list of the account interface: newest first, page after page. */
export const listQuery = <Row>(path: string, query: Query = {}) =>
  infiniteQueryOptions({
    queryKey: ['list', path, query],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      get<ListPage<Row>>(path, { limit: PAGE_SIZE, ...query, cursor: pageParam }, signal),
    getNextPageParam: (page) => page.next_cursor,
  });
