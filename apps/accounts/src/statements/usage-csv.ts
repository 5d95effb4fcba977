import { formatUsd } from '@gateway/money';
import type { UsageLine } from '@gateway/postgres';
import { csvRows } from '../http/csv.js';

/** A row for each group, and a column for each unit that occurs. */
export function usageCsv(groupBy: string, lines: readonly UsageLine[]): string {
  const units = [...new Set(lines.flatMap((line) => Object.keys(line.units)))].sort();
  const rows = lines.map(({ group, requests, costNanoUsd, units: used }) => [
    group,
    requests.toString(),
    formatUsd(costNanoUsd),
    ...units.map((unit) => (used[unit] ?? 0).toString()),
  ]);
  return csvRows([[groupBy, 'requests', 'cost_usd', ...units], ...rows]);
}
