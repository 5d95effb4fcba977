import type { ReactNode } from 'react';
import { DataTable, type DataTableProps } from './data-table.jsx';
import { Problem, Skeleton } from './states.jsx';

/** What `useRows` returns. */
interface ListRows<Row> {
  readonly rows: readonly Row[] | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
  readonly loadMore: (() => void) | undefined;
  readonly isLoadingMore: boolean;
}

interface ListViewProps<Row> extends Omit<DataTableProps<Row>, 'rows' | 'onEnd' | 'isLoadingMore'> {
  readonly list: ListRows<Row>;
  /** Shown without rows. */
  readonly empty: ReactNode;
}

/**
 * A list in each of its states: loading, failed, empty, or a table that loads its next page by itself. A list that was
 * read before stays while the server is away.
 */
export function ListView<Row>({ list, empty, ...table }: ListViewProps<Row>) {
  const { rows, error, retry, loadMore, isLoadingMore } = list;
  if (rows === undefined) return error === null ? <Skeleton rows={8} /> : <Problem error={error} onRetry={retry} />;
  return (
    <>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {rows.length === 0 && error === null && empty}
      {rows.length > 0 && <DataTable {...table} rows={rows} onEnd={loadMore} isLoadingMore={isLoadingMore} />}
    </>
  );
}
