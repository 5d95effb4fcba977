import { useLingui } from '@lingui/react/macro';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { classes } from './classes.js';
import { nextOrder, type SortOrder, sortedColumn } from './sort-rows.js';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** A track of CSS grid, such as `8rem` or `minmax(10rem,1fr)`. */
  readonly width: string;
  /** The track on a narrow screen; default: `width`. */
  readonly narrowWidth?: string;
  readonly isNumber?: boolean;
  /** True: left out on a narrow screen. */
  readonly isExtra?: boolean;
  /** Present: a person may sort a whole list by it. */
  readonly sortBy?: (row: Row) => string | number | null | undefined;
}

export interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  readonly openId?: string | undefined;
  /** Called when the last rows come into view. */
  readonly onEnd?: () => void;
  readonly isLoadingMore?: boolean;
  /** `price`, `-price`: the order of the rows. */
  readonly order?: SortOrder | undefined;
  /** Present: the titles of columns with `sortBy` are buttons. The caller sorts. */
  readonly onOrder?: (order: SortOrder) => void;
}

/** The track of a column that shows only an icon on a narrow screen: its title is read, not shown. */
export const ICON_TRACK = '2rem';

const ROW_PX = 36;
const OVERSCAN = 12;
const MAX_HEIGHT = 'max-h-[70vh]';

const cellClasses = <Row,>({ isNumber, isExtra }: Column<Row>) =>
  classes(
    'min-w-0 truncate px-3 max-md:px-2',
    isNumber === true && 'figures text-right',
    isExtra === true && 'max-md:hidden',
  );

/** The grid of wide screens, and the one of narrow screens without the extra columns. */
const tracksOf = <Row,>(columns: readonly Column<Row>[]) => ({
  '--tracks': columns.map(({ width }) => width).join(' '),
  '--few-tracks': columns
    .filter(({ isExtra }) => isExtra !== true)
    .map(({ width, narrowWidth }) => narrowWidth ?? width)
    .join(' '),
});

const GRID = 'grid items-center [grid-template-columns:var(--few-tracks)] md:[grid-template-columns:var(--tracks)]';

interface RowViewProps<Row> extends Pick<DataTableProps<Row>, 'columns' | 'onOpen'> {
  readonly row: Row;
  readonly index: number;
  readonly top: number;
  readonly isOpen: boolean;
}

function RowView<Row>({ row, index, top, isOpen, columns, onOpen }: RowViewProps<Row>) {
  const open = onOpen === undefined ? undefined : () => onOpen(row);
  const openByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') open?.();
  };
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={onOpen === undefined ? undefined : isOpen}
      tabIndex={onOpen === undefined ? undefined : 0}
      onClick={open}
      onKeyDown={openByKey}
      style={{ transform: `translateY(${top}px)`, height: ROW_PX }}
      className={classes(
        GRID,
        'absolute inset-x-0 border-b focus-visible:-outline-offset-2',
        onOpen !== undefined && 'cursor-pointer hover:bg-hover',
        isOpen && 'bg-accent-wash',
      )}
    >
      {columns.map((column) => (
        <div key={column.id} role="cell" className={cellClasses(column)}>
          {column.cell(row)}
        </div>
      ))}
    </div>
  );
}

type HeadProps<Row> = Pick<DataTableProps<Row>, 'columns' | 'order' | 'onOrder'>;

function Title<Row>({ column, order, onOrder }: { readonly column: Column<Row> } & Omit<HeadProps<Row>, 'columns'>) {
  if (column.sortBy === undefined || onOrder === undefined)
    return <span className={classes(column.narrowWidth === ICON_TRACK && 'max-md:sr-only')}>{column.title}</span>;
  const { id, isDescending } = sortedColumn(order);
  const Arrow = isDescending ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      onClick={() => onOrder(nextOrder(order, column.id))}
      className={classes(
        'inline-flex max-w-full items-center gap-1 rounded-control hover:text-text',
        // The title of figures ends where they end.
        column.isNumber === true && 'flex-row-reverse',
      )}
    >
      <span className="truncate">{column.title}</span>
      <Arrow aria-hidden className={classes('size-3 shrink-0', id !== column.id && 'invisible')} />
    </button>
  );
}

function ariaSort<Row>({ id }: Column<Row>, order: SortOrder): 'ascending' | 'descending' | undefined {
  const sorted = sortedColumn(order);
  if (sorted.id !== id) return undefined;
  return sorted.isDescending ? 'descending' : 'ascending';
}

const Head = <Row,>({ columns, order, onOrder }: HeadProps<Row>) => (
  <div role="rowgroup" className="sticky top-0 z-10 border-b bg-surface">
    <div role="row" aria-rowindex={1} className={classes(GRID, 'h-9 text-muted text-small')}>
      {columns.map((column) => (
        <div key={column.id} role="columnheader" aria-sort={ariaSort(column, order)} className={cellClasses(column)}>
          <Title column={column} order={order} {...(onOrder !== undefined && { onOrder })} />
        </div>
      ))}
    </div>
  </div>
);

/** Rows under a fixed header. It draws only what is in view, so that 100,000 rows are as fast as ten. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, onOpen, openId, onEnd, isLoadingMore = false } = props;
  const { t } = useLingui();
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });
  const shown = virtual.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && lastShown >= rows.length - 1) onEnd?.();
  }, [rows.length, lastShown, onEnd]);
  return (
    <div
      ref={scroller}
      // Rows that open have the focus themselves. Others scroll by the keys only if the table has it.
      tabIndex={onOpen === undefined ? 0 : undefined}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      style={tracksOf(columns) as object}
      className={classes('overflow-auto rounded-panel border bg-surface', MAX_HEIGHT)}
    >
      <Head columns={columns} order={props.order} {...(props.onOrder !== undefined && { onOrder: props.onOrder })} />
      <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const id = rowId(row);
          return (
            <RowView
              key={id}
              row={row}
              index={index}
              top={start}
              isOpen={id === openId}
              columns={columns}
              {...(onOpen !== undefined && { onOpen })}
            />
          );
        })}
      </div>
      {isLoadingMore && <p className="px-3 py-2 text-muted text-small">{t`Loading more…`}</p>}
    </div>
  );
}
