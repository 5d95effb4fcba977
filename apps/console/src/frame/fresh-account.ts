import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

/** What every organisation shares. */
const SHARED: readonly unknown[] = ['session', 'console-settings', 'visitor'];

/** When the session works in another organisation, also by another tab: nothing of the former one stays on screen. */
export function useFreshAccount(accountId: string | undefined): void {
  const queries = useQueryClient();
  const before = useRef(accountId);
  useEffect(() => {
    if (before.current === accountId) return;
    before.current = accountId;
    void queries.resetQueries({ predicate: ({ queryKey: [kind] }) => !SHARED.includes(kind) });
  }, [queries, accountId]);
}
