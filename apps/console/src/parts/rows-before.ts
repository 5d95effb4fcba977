/** How many rows came before those that were there. None: the list is another one, or in another order. */
export function rowsBefore<Row>(known: readonly Row[], rows: readonly Row[], rowId: (row: Row) => string): number {
  const [first] = known;
  if (first === undefined) return 0;
  const firstId = rowId(first);
  return Math.max(
    0,
    rows.findIndex((row) => rowId(row) === firstId),
  );
}
