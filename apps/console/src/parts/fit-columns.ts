interface FittedColumn {
  /** A track of CSS grid. */
  readonly width: string;
}

/** The least width of a track such as `8rem`, `minmax(9rem,1fr)` or `1fr`. */
const leastRem = ({ width }: FittedColumn): number => Number(/([\d.]+)rem/.exec(width)?.[1] ?? 0);

/** The least width of a track that takes what is left on a narrow screen. A narrower one would show a letter or two. */
const LEAST_SHARE = 'minmax(4.25rem,1fr)';

interface NarrowedColumn extends FittedColumn {
  readonly narrowWidth?: string;
}

/** The track of a column on a narrow screen. */
export const narrowTrack = ({ width, narrowWidth = width }: NarrowedColumn): string =>
  narrowWidth === '1fr' ? LEAST_SHARE : narrowWidth;

/** How wide these columns are at least, together. */
export const leastRemOf = (columns: readonly FittedColumn[]): number =>
  columns.reduce((sum, column) => sum + leastRem(column), 0);

/**
 * Leaves out columns that `roomRem` has no place for. It begins at the left, because the figures stand at the right.
 * `mayGo`: false for a column that shows in any case; then the table scrolls sideways.
 */
export function fitColumns<Column extends FittedColumn>(
  columns: readonly Column[],
  mayGo: (column: Column) => boolean,
  roomRem: number,
): readonly Column[] {
  let missingRem = leastRemOf(columns) - roomRem;
  return columns.filter((column) => {
    if (missingRem <= 0 || !mayGo(column)) return true;
    missingRem -= leastRem(column);
    return false;
  });
}
