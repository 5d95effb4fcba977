import { useQuery } from '@tanstack/react-query';
import { get, type Query } from './call.js';

/** How often what operators watch is read again, while the page is seen. */
export const POLL_MS = 5_000;

/** What a page reads again and again. `data` stays while the server is away. */
export interface Polled<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  /** Milliseconds since 1970. */
  readonly readAt: number;
  readonly retry: () => void;
}

export function usePolled<Data>(path: string, query: Query = {}): Polled<Data> {
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['polled', path, query],
    queryFn: ({ signal }) => get<Data>(path, query, signal),
    refetchInterval: POLL_MS,
  });
  return { data, error, readAt: dataUpdatedAt, retry: () => void refetch() };
}
