import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ApiKey } from './keys.js';
import { listQuery } from './pages.js';
import { useMay } from './session.js';

/** The names of keys by their ids, for who manages them. A key that has ended has none here. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const mayReadKeys = useMay('developer');
  const { data } = useInfiniteQuery({
    ...listQuery<ApiKey>('/account/keys', { limit: undefined }),
    enabled: mayReadKeys,
  });
  return useMemo(
    () => new Map(data?.pages.flatMap((page) => page.data.map(({ id, name }) => [id, name ?? id] as const))),
    [data],
  );
}
