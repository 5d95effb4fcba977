/** `price` ascending, `-price` descending: as it stands in the address. */
export type SortOrder = string | undefined;

export const sortedColumn = (
  order: SortOrder,
): { readonly id: string | undefined; readonly isDescending: boolean } => ({
  id: order?.replace(/^-/, ''),
  isDescending: order?.startsWith('-') === true,
});

/** The next order when a person chooses a column: ascending, descending, then as it came. */
export function nextOrder(order: SortOrder, id: string): SortOrder {
  if (order === id) return `-${id}`;
  return order === `-${id}` ? undefined : id;
}

/** A list that the server orders by the column `time`, one way or the other. Spread it into the table. */
export const timeSorting = (isOldestFirst: boolean, onOldestFirst: (isOldestFirst: boolean) => void) => ({
  order: isOldestFirst ? 'time' : '-time',
  onOrder: () => onOldestFirst(!isOldestFirst),
});

type Key = string | number | null | undefined;

/** A column by which rows may be sorted. */
export interface SortableColumn<Row> {
  readonly id: string;
  readonly sortBy?: (row: Row) => Key;
}

const isMissing = (key: Key): key is null | undefined => key === null || key === undefined;

function compare(one: Key, other: Key): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other), undefined, { numeric: true });
}

/** Sorts a list that is loaded whole. Rows without a value come last in either direction. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly SortableColumn<Row>[],
  order: SortOrder,
): readonly Row[] {
  const { id, isDescending } = sortedColumn(order);
  const sortBy = columns.find((column) => column.id === id)?.sortBy;
  if (sortBy === undefined) return rows;
  const keyed = rows.map((row) => ({ row, key: sortBy(row) }));
  keyed.sort((one, other) => {
    if (isMissing(one.key) || isMissing(other.key)) return Number(isMissing(one.key)) - Number(isMissing(other.key));
    return isDescending ? compare(other.key, one.key) : compare(one.key, other.key);
  });
  return keyed.map(({ row }) => row);
}
