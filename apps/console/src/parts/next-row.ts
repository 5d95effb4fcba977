interface Place {
  /** The row that has the focus. */
  readonly index: number;
  readonly count: number;
  /** How many rows are in view at once. */
  readonly inView: number;
}

/** The row that a key moves to, as in every grid; undefined: the key does not move. */
export function nextRow(key: string, { index, count, inView }: Place): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + inView,
    PageUp: index - inView,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined ? undefined : Math.max(0, Math.min(target, count - 1));
}
