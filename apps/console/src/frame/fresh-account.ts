import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

/** What every organisation shares. */
const SHARED: readonly unknown[] = ['session', 'console-settings', 'visitor'];

/**
 * When the session works in another organisation, or is of another person, also by another tab: nothing of the former one
 * stays on screen.
 */
export function useFreshAccount(holder: string): void {
  const queries = useQueryClient();
  const before = useRef(holder);
  useEffect(() => {
    if (before.current === holder) return;
    before.current = holder;
    void queries.resetQueries({ predicate: ({ queryKey: [kind] }) => !SHARED.includes(kind) });
  }, [queries, holder]);
}
