import { useLingui } from '@lingui/react/macro';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { InCurrentRow } from './cell-link.jsx';
import { classes } from './classes.js';
import { leastRemOf, narrowTrack } from './fit-columns.js';
import { rowsBefore } from './rows-before.js';
import type { SortOrder } from './sort-rows.js';
import {
  bodyCellClasses,
  CHOICE_REM,
  type ChosenColumns,
  type Column,
  GRID,
  useChosenColumns,
} from './table-columns.js';
import { TableHead } from './table-head.jsx';
import { titleWhatIsCut } from './title-what-is-cut.js';
import { useCurrentRow } from './use-current-row.js';
import { useIsPrinting } from './use-is-printing.js';
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
const MAX_HEIGHT = 'max-h-[70vh] print:max-h-none print:overflow-visible';
/** Some 40 sheets. */
const MOST_PRINTED = 2_000;

function tracksOf<Row>({ shown, isNarrow }: ChosenColumns<Row>, hasChoice: boolean) {
  const columns = shown.map((column) => ({ width: isNarrow ? narrowTrack(column) : column.width }));
  const choiceRem = hasChoice && !isNarrow ? CHOICE_REM : 0;
  return {
    '--tracks': [...columns.map(({ width }) => width), ...(choiceRem === 0 ? [] : [`${choiceRem}rem`])].join(' '),
    '--least-width': `${leastRemOf(columns) + choiceRem}rem`,
  };
}

interface RowViewProps<Row> extends Pick<DataTableProps<Row>, 'columns' | 'onOpen'> {
  readonly row: Row;
  readonly index: number;
  readonly top: number;
  readonly isOpen: boolean;
  readonly isCurrent: boolean;
  /** Called when the row or a part of it takes the focus. */
  readonly onFocus: () => void;
}

function RowView<Row>({ row, index, top, isOpen, isCurrent, columns, onOpen, onFocus }: RowViewProps<Row>) {
  const open = onOpen === undefined ? undefined : () => onOpen(row);
  const openByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.target === event.currentTarget) open?.();
  };
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={onOpen === undefined ? undefined : isOpen}
      tabIndex={isCurrent ? 0 : -1}
      onClick={open}
      onFocus={onFocus}
      onKeyDown={openByKey}
      style={{ transform: `translateY(${top}px)`, height: ROW_PX }}
      className={classes(
        GRID,
        // The titles stay above the row that the keys lead to.
        'absolute inset-x-0 scroll-mt-9 border-b focus-visible:-outline-offset-2',
        'print:static print:break-inside-avoid print:transform-none!',
        onOpen !== undefined && 'cursor-pointer hover:bg-hover',
        isOpen && 'bg-accent-wash',
      )}
    >
      <InCurrentRow value={isCurrent}>
        {columns.map((column) => (
          <div
            key={column.id}
            role="gridcell"
            onMouseEnter={({ currentTarget }) => titleWhatIsCut(currentTarget)}
            className={bodyCellClasses(column)}
          >
            {column.cell(row)}
          </div>
        ))}
      </InCurrentRow>
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

const byNumber = (one: number, other: number): number => one - other;

/** Rows under a fixed header. It draws only what is in view, so that 100,000 rows are as fast as ten. For the keys, it is one stop. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, name, rows, rowId, onOpen, openId, onEnd, isLoadingMore = false } = props;
  const { t } = useLingui();
  const scroller = useRef<HTMLDivElement>(null);
  const chosen = useChosenColumns(name, props.columns, useWidth(scroller));
  const hasChoice = name !== undefined;
  const current = useCurrentRow(scroller, { rows, rowId, openId, rowPx: ROW_PX });
  // The current row is drawn wherever the list is scrolled to: it may have the focus.
  // Paper does not scroll: every row that is loaded is drawn.
  const isPrinting = useIsPrinting();
  const rangeExtractor = useCallback(
    (range: Range) =>
      isPrinting
        ? Array.from({ length: Math.min(range.count, MOST_PRINTED) }, (_, index) => index)
        : [...new Set([...defaultRangeExtractor(range), current.index])].sort(byNumber),
    [current.index, isPrinting],
  );
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    rangeExtractor,
  });
  useKeptPlace(scroller, { rows, rowId });
  const shown = virtual.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && lastShown >= rows.length - 1 && !isPrinting) onEnd?.();
  }, [rows.length, lastShown, onEnd, isPrinting]);
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      style={tracksOf(chosen, hasChoice) as object}
      className={classes('overflow-auto rounded-panel border bg-surface', MAX_HEIGHT)}
    >
      {/* The rows are as wide as their columns need, even if the table then scrolls sideways. */}
      <div role="presentation" className="min-w-(--least-width)">
        <TableHead
          chosen={chosen}
          hasChoice={hasChoice}
          order={props.order}
          {...(props.onOrder !== undefined && { onOrder: props.onOrder })}
        />
        <div
          role="rowgroup"
          className="relative print:h-auto!"
          style={{ height: virtual.getTotalSize() }}
          onKeyDown={current.move}
        >
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
                isCurrent={index === current.index}
                onFocus={() => current.choose(id)}
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
