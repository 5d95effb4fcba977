import type { ReactNode } from 'react';
import type { useRows } from '../api/pages.js';
import { DataTable, type DataTableProps } from './data-table.jsx';
import { Problem, Skeleton } from './states.jsx';

interface RowsViewProps<Row> extends Omit<DataTableProps<Row>, 'rows' | 'onEnd' | 'isLoadingMore'> {
  readonly list: ReturnType<typeof useRows<Row>>;
  /** In place of the table where there are no rows. */
  readonly empty: ReactNode;
}

/** A list of the server in each of its states: failed, still loading, empty, or with rows page after page. */
export function RowsView<Row>({ list, empty, ...table }: RowsViewProps<Row>) {
  const { rows, error, retry, loadMore, isLoadingMore } = list;
  return (
    <>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {rows === undefined && error === null && <Skeleton rows={8} />}
      {rows?.length === 0 && empty}
      {rows !== undefined && rows.length > 0 && (
        <DataTable {...table} rows={rows} onEnd={loadMore} isLoadingMore={isLoadingMore} />
      )}
    </>
  );
}
