import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

type Search = Readonly<Record<string, string | undefined>>;

/** The filters of a list and what is open stand in the address, so that it can be sent to a colleague. */
export function useListSearch(view: string, names: readonly string[]) {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const { open } = search;
  // Other names of the address are no filters, and the list would refuse them.
  const filter: Search = Object.fromEntries(names.map((name) => [name, search[name]]));
  const go = useCallback(
    (next: Search, replace: boolean) =>
      void navigate({ to: '/media', search: { view, ...next } as never, replace, resetScroll: false }),
    [navigate, view],
  );
  return {
    filter,
    open,
    isFiltered: Object.values(filter).some((value) => value !== undefined),
    set: (name: string) => (value: string | undefined) => go({ ...filter, [name]: value }, true),
    clear: () => go({}, true),
    show: (id: string | undefined) => go({ ...filter, open: id }, false),
  };
}
