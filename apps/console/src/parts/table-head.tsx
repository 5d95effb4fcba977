import { useLingui } from '@lingui/react/macro';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { classes } from './classes.js';
import { lazyPart } from './lazy-part.jsx';
import { nextOrder, type SortOrder, sortedColumn } from './sort-rows.js';
import { type ChosenColumns, type Column, cellClasses, GRID, ICON_TRACK } from './table-columns.js';

/** Menus are large, and a table is readable without them. */
const ColumnsMenu = lazyPart(() => import('./columns-menu.jsx'), 'ColumnsMenu', {
  Waiting: () => {
    const { t } = useLingui();
    return <span className="size-8 overflow-hidden opacity-0">{t`Columns`}</span>;
  },
});

interface SortingProps {
  readonly order?: SortOrder | undefined;
  readonly onOrder?: (order: SortOrder) => void;
}

interface HeadProps<Row> extends SortingProps {
  readonly chosen: ChosenColumns<Row>;
  readonly hasChoice: boolean;
}

function Title<Row>({ column, order, onOrder }: { readonly column: Column<Row> } & SortingProps) {
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
      <Arrow aria-hidden className={classes('size-3 shrink-0', id !== column.id && 'invisible max-md:hidden')} />
    </button>
  );
}

function ariaSort<Row>({ id }: Column<Row>, order: SortOrder): 'ascending' | 'descending' | undefined {
  const sorted = sortedColumn(order);
  if (sorted.id !== id) return undefined;
  return sorted.isDescending ? 'descending' : 'ascending';
}

/** In the corner of the table: on a narrow screen above the last column, which gives way to it. */
function Choice<Row>({ chosen }: { readonly chosen: ChosenColumns<Row> }) {
  return (
    <div
      role="columnheader"
      className="sticky right-0 flex justify-end bg-surface pr-0.5 [&_button]:-outline-offset-2 max-md:absolute max-md:inset-y-0 max-md:items-center"
    >
      <ColumnsMenu {...chosen} />
    </div>
  );
}

/** The titles of the columns, which stay in view. */
export const TableHead = <Row,>({ chosen, hasChoice, order, onOrder }: HeadProps<Row>) => (
  <div role="rowgroup" className="sticky top-0 z-10 border-b bg-surface">
    <div
      role="row"
      aria-rowindex={1}
      className={classes(GRID, 'h-9 text-muted text-small', hasChoice && 'max-md:[&>:nth-last-child(2)]:pr-9')}
    >
      {chosen.shown.map((column) => (
        <div key={column.id} role="columnheader" aria-sort={ariaSort(column, order)} className={cellClasses(column)}>
          <Title column={column} order={order} {...(onOrder !== undefined && { onOrder })} />
        </div>
      ))}
      {hasChoice && <Choice chosen={chosen} />}
    </div>
  </div>
);
