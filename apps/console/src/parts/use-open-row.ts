import { useEffect } from 'react';

interface Rows<Row> {
  readonly rows: readonly Row[] | undefined;
  readonly hasMore?: boolean;
  /** Undefined: not now. */
  readonly loadMore?: (() => void) | undefined;
}

/** An address that names nothing must not read a list without end. */
const MOST_SEARCHED = 2_000;

/**
 * The row that the address opens. A list is read on until it is found. `isMissing`: it is not there, such as after it was
 * deleted.
 */
export function useOpenRow<Row>(
  { rows, hasMore = false, loadMore }: Rows<Row>,
  id: string | undefined,
  idOf: (row: Row) => string,
) {
  const row = id === undefined ? undefined : rows?.find((one) => idOf(one) === id);
  const isSought = id !== undefined && rows !== undefined && row === undefined;
  const mayFollow = isSought && hasMore && rows.length < MOST_SEARCHED;
  useEffect(() => {
    if (mayFollow) loadMore?.();
  }, [mayFollow, loadMore]);
  return { row, isMissing: isSought && !mayFollow };
}
