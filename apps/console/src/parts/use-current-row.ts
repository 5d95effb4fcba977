import { type KeyboardEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { nextRow } from './next-row.js';

interface RowsInView<Row> {
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** The row that is open: Tab leads to it first. */
  readonly openId: string | undefined;
  readonly rowPx: number;
}

/**
 * The one row that Tab reaches: a list without end would hold the focus for good. Arrows, Page Up, Page Down, Home and
 * End move it. It is known by its id, so that it stays the same while rows arrive above it.
 */
export function useCurrentRow<Row>(
  scroller: RefObject<HTMLElement | null>,
  { rows, rowId, openId, rowPx }: RowsInView<Row>,
) {
  const [chosenId, setChosenId] = useState<string>();
  const isMoving = useRef(false);
  const id = chosenId ?? openId;
  const index = useMemo(
    () =>
      Math.max(
        0,
        rows.findIndex((row) => rowId(row) === id),
      ),
    [rows, rowId, id],
  );
  useLayoutEffect(() => {
    if (!isMoving.current) return;
    isMoving.current = false;
    const row = scroller.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]');
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });
  const move = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const inView = Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 1;
    const target = rows[nextRow(event.key, { index, count: rows.length, inView }) ?? -1];
    if (target === undefined) return;
    event.preventDefault();
    isMoving.current = true;
    setChosenId(rowId(target));
  };
  return { index, choose: setChosenId, move };
}
