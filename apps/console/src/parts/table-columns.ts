import { type ReactNode, useMemo, useSyncExternalStore } from 'react';
import { useAnySession } from '../api/session.js';
import { classes } from './classes.js';
import { fitColumns } from './fit-columns.js';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** A track of CSS grid, such as `8rem` or `minmax(10rem,1fr)`. */
  readonly width: string;
  /** The track on a narrow screen; default: `width`. */
  readonly narrowWidth?: string;
  readonly isNumber?: boolean;
  /** True: left out on a narrow screen, and where a table has no room for it, until the person asks for it. */
  readonly isExtra?: boolean;
  /** True: left out on every screen until the person asks for it. */
  readonly isOptional?: boolean;
  /** Present: a person may sort a whole list by it. */
  readonly sortBy?: (row: Row) => string | number | null | undefined;
}

/** The track of a column that shows only an icon on a narrow screen: its title is read, not shown. */
export const ICON_TRACK = '2rem';

/** The track of a time on a narrow screen: the time of another day shows whole, in each language. */
export const TIME_TRACK = '7rem';

/** The breakpoint `md`. */
const NARROW = matchMedia('(max-width: 767.98px)');

function onNarrow(listener: () => void): () => void {
  NARROW.addEventListener('change', listener);
  return () => NARROW.removeEventListener('change', listener);
}

const useIsNarrow = (): boolean => useSyncExternalStore(onNarrow, () => NARROW.matches);

const listeners = new Set<() => void>();

/** Another tab reports its choice by the event `storage`. */
function onChoice(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

function store(key: string, chosen: URLSearchParams): void {
  if (chosen.size === 0) localStorage.removeItem(key);
  else localStorage.setItem(key, chosen.toString());
  for (const listener of listeners) listener();
}

/** One column, as the menu of a table offers it. */
export interface ColumnChoice {
  readonly id: string;
  readonly title: string;
  readonly isShown: boolean;
}

export interface ChosenColumns<Row> {
  readonly shown: readonly Column<Row>[];
  readonly isNarrow: boolean;
  /** Every column but the one that always stands: the first that shows on a phone. */
  readonly choices: readonly ColumnChoice[];
  readonly isChosen: boolean;
  readonly choose: (id: string, isShown: boolean) => void;
  readonly reset: () => void;
}

/** The room of the menu of columns, on a wide screen. */
export const CHOICE_REM = 2.25;
const REM_PX = 16;

const firstOf = <Row>(columns: readonly Column<Row>[]): Column<Row> | undefined =>
  columns.find(({ isExtra = false, isOptional = false }) => !(isExtra || isOptional));

/** What shows of all columns by this choice. `roomRem`: the place on a wide screen. */
function shownOf<Row>(
  columns: readonly Column<Row>[],
  chosen: URLSearchParams,
  { isNarrow, roomRem }: { readonly isNarrow: boolean; readonly roomRem: number },
): readonly Column<Row>[] {
  const first = firstOf(columns);
  const isUsual = ({ isExtra = false, isOptional = false }: Column<Row>) => !(isOptional || (isNarrow && isExtra));
  const isWanted = (column: Column<Row>) =>
    chosen.has(column.id) ? chosen.get(column.id) === 'shown' : isUsual(column);
  const wanted = columns.filter((column) => column === first || isWanted(column));
  const mayGo = ({ id, isExtra = false }: Column<Row>) => isExtra && !chosen.has(id);
  return isNarrow ? wanted : fitColumns(wanted, mayGo, roomRem);
}

/**
 * The columns that show, as this person chose them in this browser: on wide and on narrow screens for themselves. What
 * is stored says only what differs, so a column of a later release shows. `table`: undefined for one without a choice.
 */
export function useChosenColumns<Row>(
  table: string | undefined,
  columns: readonly Column<Row>[],
  widthPx: number,
): ChosenColumns<Row> {
  const { person } = useAnySession();
  const isNarrow = useIsNarrow();
  const key = `columns.${person.id}.${table}.${isNarrow ? 'narrow' : 'wide'}`;
  const text = useSyncExternalStore(onChoice, () => (table === undefined ? null : localStorage.getItem(key)));
  const roomRem = widthPx / REM_PX - (table === undefined ? 0 : CHOICE_REM);
  return useMemo(() => {
    const chosen = new URLSearchParams(text ?? '');
    const place = { isNarrow, roomRem };
    const shown = shownOf(columns, chosen, place);
    const isIn = (list: readonly Column<Row>[], id: string) => list.some((column) => column.id === id);
    const choose = (id: string, wanted: boolean) => {
      const next = new URLSearchParams(chosen);
      next.delete(id);
      if (isIn(shownOf(columns, next, place), id) !== wanted) next.set(id, wanted ? 'shown' : 'hidden');
      store(key, next);
    };
    return {
      shown,
      isNarrow,
      choices: columns
        .filter((column) => column !== firstOf(columns))
        .map(({ id, title }) => ({ id, title, isShown: isIn(shown, id) })),
      isChosen: chosen.size > 0,
      choose,
      reset: () => store(key, new URLSearchParams()),
    };
  }, [columns, isNarrow, roomRem, key, text]);
}

export const GRID = 'grid items-center [grid-template-columns:var(--tracks)]';

export const cellClasses = <Row>({ isNumber }: Column<Row>) =>
  classes('min-w-0 truncate px-3 max-md:px-2', isNumber === true && 'figures text-right');

/** On a narrow screen a name takes two lines of its row, so that models and ids show whole. */
const TWO_LINES =
  'max-md:line-clamp-2 max-md:max-h-8 max-md:whitespace-normal max-md:leading-4 max-md:wrap-anywhere max-md:[&_.truncate]:whitespace-normal';

export const bodyCellClasses = <Row>(column: Column<Row>) =>
  classes(cellClasses(column), column.narrowWidth?.endsWith('fr') && TWO_LINES);
