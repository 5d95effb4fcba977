import type { Unit, UnitCounts, Usage } from './usage.js';

const INPUT = /^(input|cached_input|cache_write)/;

/** The part of a usage that is known when a request is sent: its prompt and its media. */
export function inputOf({ units, inputTokensTotal }: Usage): Usage {
  const input = Object.entries(units).filter(([unit]) => INPUT.test(unit));
  return { units: Object.fromEntries(input) as UnitCounts, inputTokensTotal, isEstimated: true };
}

/**
 * `used`, with at least the input `held`. The vendor bills the prompt of every request that it received, and often counts
 * it only at the end. Unchanged if the upstream has counted the prompt.
 */
export function atLeastInput(used: Usage, held: Usage): Usage {
  if (used.isPromptCounted === true || (!used.isEstimated && used.inputTokensTotal > 0)) return used;
  if (used.inputTokensTotal >= held.inputTokensTotal) return used;
  const output = Object.entries(used.units).filter(([unit]) => !INPUT.test(unit)) as [Unit, number][];
  return {
    units: { ...held.units, ...Object.fromEntries(output) },
    inputTokensTotal: held.inputTokensTotal,
    isEstimated: true,
  };
}
