import { findModel } from '@gateway/catalogue';
import { formatUsd } from '@gateway/money';
import type { MarginLine, MarginSums } from '@gateway/postgres';
import type { z } from 'zod';
import type { marginSums } from './margin.description.js';

const NOTHING: MarginSums = {
  requests: 0n,
  chargedNanoUsd: 0n,
  vendorCostNanoUsd: 0n,
  uncostedRequests: 0n,
  uncostedNanoUsd: 0n,
};

const add = (left: MarginSums, right: MarginSums): MarginSums => ({
  requests: left.requests + right.requests,
  chargedNanoUsd: left.chargedNanoUsd + right.chargedNanoUsd,
  vendorCostNanoUsd: left.vendorCostNanoUsd + right.vendorCostNanoUsd,
  uncostedRequests: left.uncostedRequests + right.uncostedRequests,
  uncostedNanoUsd: left.uncostedNanoUsd + right.uncostedNanoUsd,
});

export const totalOf = (lines: readonly MarginSums[]): MarginSums => lines.reduce(add, NOTHING);

/** Joins the lines of models to one line for each vendor. */
export function byVendor(lines: readonly MarginLine[]): readonly MarginLine[] {
  const vendors = new Map<string, MarginLine>();
  for (const line of lines) {
    const group = findModel(line.group)?.vendor ?? 'unknown';
    vendors.set(group, { ...add(vendors.get(group) ?? NOTHING, line), group, label: null });
  }
  return [...vendors.values()];
}

/** Hundredths of a percent, as a decimal string. Null: nothing was charged. */
function percent(part: bigint, whole: bigint): string | null {
  if (whole <= 0n) return null;
  const hundredths = (part * 10_000n) / whole;
  const sign = hundredths < 0n ? '-' : '';
  const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The margin counts only the requests whose vendor's cost is known. */
export function sumsView(sums: MarginSums): z.output<typeof marginSums> {
  const costed = sums.chargedNanoUsd - sums.uncostedNanoUsd;
  const margin = costed - sums.vendorCostNanoUsd;
  return {
    requests: Number(sums.requests),
    charged_usd: formatUsd(sums.chargedNanoUsd),
    vendor_cost_usd: formatUsd(sums.vendorCostNanoUsd),
    margin_usd: formatUsd(margin),
    margin_percent: percent(margin, costed),
    uncosted_requests: Number(sums.uncostedRequests),
    uncosted_usd: formatUsd(sums.uncostedNanoUsd),
  };
}
