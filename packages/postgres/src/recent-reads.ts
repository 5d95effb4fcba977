interface RecentRead<Value> {
  readonly value: Promise<Value>;
  /** By `performance.now()`: a clock that is set back must not make a read fresh again. */
  readonly begunAtMs: number;
}

/**
 * Shares what was read less than `freshMs` ago, by a key of which there are few, such as a model. Without a key there is
 * one read. Callers that come together share it: else they would exhaust the connection pool. The next call repeats a
 * read that failed.
 */
export function recentReads<Value>(
  freshMs: number,
  read: (key: string) => Promise<Value>,
): (key?: string) => Promise<Value> {
  const reads = new Map<string, RecentRead<Value>>();
  return (key = '') => {
    const begunAtMs = performance.now();
    const recent = reads.get(key);
    if (recent !== undefined && begunAtMs - recent.begunAtMs < freshMs) return recent.value;
    const begun = { value: read(key), begunAtMs };
    reads.set(key, begun);
    // A later read may have taken its place.
    begun.value.catch(() => reads.get(key) === begun && reads.delete(key));
    return begun.value;
  };
}
