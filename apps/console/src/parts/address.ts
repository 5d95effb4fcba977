import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

export type Address = Readonly<Record<string, string | undefined>>;

/** What opens or closes is a step that a person can take back. A filter is not. */
const STEPS = ['open', 'runbook'];

/** What is filtered and open, in the address of the page. `change` keeps the rest; an empty text removes its part. */
export function useAddress() {
  const search = useSearch({ strict: false }) as Address;
  const navigate = useNavigate();
  const change = useCallback(
    (given: Address) =>
      void navigate({
        to: '.',
        replace: !STEPS.some((name) => name in given),
        resetScroll: false,
        search: ((before: Address) => ({
          ...before,
          ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value === '' ? undefined : value])),
        })) as never,
      }),
    [navigate],
  );
  return { search, change };
}

/** The filters of a list, by the names of their parts in the address. */
export function useFilters(names: readonly string[]) {
  const { search, change } = useAddress();
  return {
    values: Object.fromEntries(names.map((name) => [name, search[name]])) as Address,
    isFiltered: names.some((name) => search[name] !== undefined),
    set: (name: string) => (value: string | undefined) => change({ [name]: value }),
    clear: () => change(Object.fromEntries(names.map((name) => [name, undefined]))),
  };
}
