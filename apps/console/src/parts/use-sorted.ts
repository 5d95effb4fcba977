import { useMemo } from 'react';
import { useAddress } from './address.js';
import { type SortableColumn, type SortOrder, sortRows } from './sort-rows.js';

/** A list that is loaded whole, in the order of the address. Spread `sorting` into the table. */
export function useSorted<Row>(rows: readonly Row[], columns: readonly SortableColumn<Row>[]) {
  const { search, change } = useAddress();
  const { sort: order } = search;
  const sorted = useMemo(() => sortRows(rows, columns, order), [rows, columns, order]);
  const onOrder = (next: SortOrder) => change({ sort: next });
  return { sorted, sorting: { order, onOrder } };
}
