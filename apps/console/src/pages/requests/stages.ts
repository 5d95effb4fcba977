/** A stage of a request, between two of its moments. */
export interface Stage {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * The stages between the known moments, in order. Machines set the moments, and their clocks differ: no stage begins
 * before its predecessor ends.
 */
export function stagesOf(moments: readonly (readonly [name: string, at: string | null])[]): readonly Stage[] {
  let latestMs = Number.NEGATIVE_INFINITY;
  const known = moments.flatMap(([name, at]) => {
    if (at === null) return [];
    latestMs = Math.max(latestMs, Date.parse(at));
    return [{ name, startMs: latestMs }];
  });
  return known.flatMap((stage, index) => {
    const next = known[index + 1];
    return next === undefined ? [] : [{ ...stage, endMs: next.startMs }];
  });
}
