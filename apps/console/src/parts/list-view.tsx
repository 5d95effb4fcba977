import type { ReactNode } from 'react';
import { type Column, DataTable } from './data-table.jsx';
import { Problem, Skeleton } from './states.jsx';

/** What `useRows` returns. */
interface ListRows<Row> {
  readonly rows: readonly Row[] | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
  readonly loadMore: () => void;
  readonly isLoadingMore: boolean;
}

interface ListViewProps<Row> {
  readonly list: ListRows<Row>;
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rowId: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  readonly openId?: string | undefined;
  /** Shown without rows. */
  readonly empty: ReactNode;
}

/** A list in each of its states: loading, failed, empty, or a table that loads its next page by itself. */
export function ListView<Row>({ list, empty, ...table }: ListViewProps<Row>) {
  const { rows, error, retry, loadMore, isLoadingMore } = list;
  if (rows === undefined) return error === null ? <Skeleton rows={5} /> : <Problem error={error} onRetry={retry} />;
  if (rows.length === 0) return empty;
  return <DataTable {...table} rows={rows} onEnd={loadMore} isLoadingMore={isLoadingMore} />;
}
