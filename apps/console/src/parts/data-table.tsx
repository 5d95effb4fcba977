import { useLingui } from '@lingui/react/macro';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { classes } from './classes.js';
import { leastRemOf } from './fit-columns.js';
import { rowsBefore } from './rows-before.js';
import type { SortOrder } from './sort-rows.js';
import { CHOICE_REM, type ChosenColumns, type Column, cellClasses, GRID, useChosenColumns } from './table-columns.js';
import { TableHead } from './table-head.jsx';
import { useWidth } from './use-width.js';

export { type Column, ICON_TRACK, TIME_TRACK } from './table-columns.js';

export interface DataTableProps<Row> {
  readonly label: string;
  /** Present: a person chooses its columns, and the browser remembers them by this name. */
  readonly name?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  readonly openId?: string | undefined;
  /** Called when the last rows come into view, and again with each new function while they are. */
  readonly onEnd?: (() => void) | undefined;
  readonly isLoadingMore?: boolean;
  /** `price`, `-price`: the order of the rows. */
  readonly order?: SortOrder | undefined;
  /** Present: the titles of columns with `sortBy` are buttons. The caller sorts. */
  readonly onOrder?: (order: SortOrder) => void;
}

const ROW_PX = 36;
const OVERSCAN = 12;
const MAX_HEIGHT = 'max-h-[70vh]';

function tracksOf<Row>({ shown, isNarrow }: ChosenColumns<Row>, hasChoice: boolean) {
  const tracks = shown.map(({ width, narrowWidth }) => (isNarrow ? (narrowWidth ?? width) : width));
  const choiceRem = hasChoice && !isNarrow ? CHOICE_REM : 0;
  return {
    '--tracks': [...tracks, ...(choiceRem === 0 ? [] : [`${choiceRem}rem`])].join(' '),
    '--least-width': `${leastRemOf(shown) + choiceRem}rem`,
  };
}

/** How wide the rows are: as their columns need, even if the table then scrolls sideways. */
function widthOf<Row>({ isChosen, isNarrow }: ChosenColumns<Row>): string | false {
  if (!isNarrow) return 'min-w-(--least-width)';
  return isChosen && 'min-w-max';
}

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

type ListProps<Row> = Pick<DataTableProps<Row>, 'rows' | 'rowId'>;

/** Rows that come at the top of a list move nothing that a person reads farther down. */
function useKeptPlace<Row>(scroller: RefObject<HTMLElement | null>, { rows, rowId }: ListProps<Row>): void {
  const known = useRef(rows);
  useLayoutEffect(() => {
    const before = known.current;
    known.current = rows;
    if (before === rows || scroller.current === null || scroller.current.scrollTop === 0) return;
    scroller.current.scrollTop += rowsBefore(before, rows, rowId) * ROW_PX;
  }, [scroller, rows, rowId]);
}

/** Rows under a fixed header. It draws only what is in view, so that 100,000 rows are as fast as ten. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, name, rows, rowId, onOpen, openId, onEnd, isLoadingMore = false } = props;
  const { t } = useLingui();
  const scroller = useRef<HTMLDivElement>(null);
  const chosen = useChosenColumns(name, props.columns, useWidth(scroller));
  const hasChoice = name !== undefined;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
  });
  useKeptPlace(scroller, { rows, rowId });
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
      style={tracksOf(chosen, hasChoice) as object}
      className={classes('overflow-auto rounded-panel border bg-surface', MAX_HEIGHT)}
    >
      <div role="presentation" className={classes(widthOf(chosen))}>
        <TableHead
          chosen={chosen}
          hasChoice={hasChoice}
          order={props.order}
          {...(props.onOrder !== undefined && { onOrder: props.onOrder })}
        />
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
                columns={chosen.shown}
                {...(onOpen !== undefined && { onOpen })}
              />
            );
          })}
        </div>
      </div>
      {isLoadingMore && <p className="px-3 py-2 text-muted text-small">{t`Loading more…`}</p>}
    </div>
  );
}
