import { type InfiniteData, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { get, type Query, withQuery } from './call.js';
import { addStream } from './connections.js';
import { followEvents } from './follow-events.js';
import { type ListPage, listQuery, PAGE_SIZE, useRows } from './pages.js';
import { mergeHead } from './refresh-list.js';
import { checkSession } from './session.js';

/** An operator's answer that the server sends again whenever it changes. `data` stays while the server is away. */
export interface Followed<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Reads the stream of an address. `queryKey`: what a return of the connection reads again. */
function useStream<Data>(path: string, queryKey: QueryKey, onAnswer: (answer: Data) => void): void {
  const queries = useQueryClient();
  useEffect(() => {
    const stream = addStream();
    stream.set('connecting');
    const end = followEvents({
      path,
      events: { message: (data) => onAnswer(JSON.parse(data) as Data) },
      onConnection: stream.set,
      onRefused: () => checkSession(queries),
      onReturn: () => void queries.invalidateQueries({ queryKey, exact: true }),
    });
    return () => {
      end();
      stream.remove();
    };
  }, [path, queries]);
}

/** One answer of an operators' route. */
export function useFollowed<Data>(path: string): Followed<Data> {
  const queries = useQueryClient();
  const queryKey = ['followed', path];
  const { data, error, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => get<Data>(path, {}, signal) });
  useStream<Data>(path, queryKey, (answer) => queries.setQueryData(queryKey, answer));
  return { data, error, retry: () => void refetch() };
}

/** A list of an operators' route. Its first page is followed; a longer list is read again when that changes. */
export function useFollowedRows<Row extends object>(path: string, query: Query = {}) {
  const queries = useQueryClient();
  const { queryKey } = listQuery<Row>(path, query);
  useStream<ListPage<Row>>(withQuery(path, { limit: PAGE_SIZE, ...query }), queryKey, (first) => {
    const known = queries.getQueryData<InfiniteData<ListPage<Row>>>(queryKey);
    const pages = known === undefined || known.pages.length === 1 ? [first] : mergeHead(known.pages, first);
    if (known === undefined || pages === null) void queries.resetQueries({ queryKey, exact: true });
    else queries.setQueryData(queryKey, { ...known, pages });
  });
  return useRows<Row>(path, query);
}
