import { type ReactNode, useMemo, useSyncExternalStore } from 'react';
import { useAnySession } from '../api/session.js';
import { classes } from './classes.js';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** A track of CSS grid, such as `8rem` or `minmax(10rem,1fr)`. */
  readonly width: string;
  /** The track on a narrow screen; default: `width`. */
  readonly narrowWidth?: string;
  readonly isNumber?: boolean;
  /** True: left out on a narrow screen until the person asks for it. */
  readonly isExtra?: boolean;
  /** True: left out on every screen until the person asks for it. */
  readonly isOptional?: boolean;
  /** Present: a person may sort a whole list by it. */
  readonly sortBy?: (row: Row) => string | number | null | undefined;
}

/** The track of a column that shows only an icon on a narrow screen: its title is read, not shown. */
export const ICON_TRACK = '2rem';

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

/**
 * The columns that show, as this person chose them in this browser: on wide and on narrow screens for themselves. What
 * is stored says only what differs, so a column of a later release shows. `table`: undefined for one without a choice.
 */
export function useChosenColumns<Row>(table: string | undefined, columns: readonly Column<Row>[]): ChosenColumns<Row> {
  const { person } = useAnySession();
  const isNarrow = useIsNarrow();
  const key = `columns.${person.id}.${table}.${isNarrow ? 'narrow' : 'wide'}`;
  const text = useSyncExternalStore(onChoice, () => (table === undefined ? null : localStorage.getItem(key)));
  return useMemo(() => {
    const chosen = new URLSearchParams(text ?? '');
    const first = columns.find(({ isExtra = false, isOptional = false }) => !(isExtra || isOptional));
    const isDefault = ({ isExtra = false, isOptional = false }: Column<Row>) => !(isOptional || (isNarrow && isExtra));
    const isShown = (column: Column<Row>) =>
      chosen.has(column.id) ? chosen.get(column.id) === 'shown' : isDefault(column);
    const choose = (id: string, wanted: boolean) => {
      const next = new URLSearchParams(chosen);
      const column = columns.find((one) => one.id === id);
      if (column === undefined || isDefault(column) === wanted) next.delete(id);
      else next.set(id, wanted ? 'shown' : 'hidden');
      store(key, next);
    };
    return {
      shown: columns.filter((column) => column === first || isShown(column)),
      isNarrow,
      choices: columns
        .filter((column) => column !== first)
        .map((column) => ({ id: column.id, title: column.title, isShown: isShown(column) })),
      isChosen: chosen.size > 0,
      choose,
      reset: () => store(key, new URLSearchParams()),
    };
  }, [columns, isNarrow, key, text]);
}

export const GRID = 'grid items-center [grid-template-columns:var(--tracks)]';

export const cellClasses = <Row>({ isNumber }: Column<Row>) =>
  classes('min-w-0 truncate px-3 max-md:px-2', isNumber === true && 'figures text-right');
