import type { Unit, UnitCounts, Usage } from './usage.js';

/** The usage of two calls that make one response. */
export function sumUsage(one: Usage, other: Usage): Usage {
  const units: Partial<Record<Unit, number>> = { ...one.units };
  for (const [unit, count = 0] of Object.entries(other.units) as [Unit, number][]) {
    units[unit] = (units[unit] ?? 0) + count;
  }
  const unpriced = [...new Set([...(one.unpriced ?? []), ...(other.unpriced ?? [])])];
  return {
    units: units as UnitCounts,
    inputTokensTotal: one.inputTokensTotal + other.inputTokensTotal,
    isEstimated: one.isEstimated || other.isEstimated,
    ...(unpriced.length > 0 && { unpriced }),
  };
}
