import { formatUsd } from '@gateway/money';
import type { UsageLine } from '@gateway/postgres';
import { csvRows } from '../http/csv.js';

/** A row for each line, and a column for each group and each unit that occurs. */
export function usageCsv(groups: readonly string[], lines: readonly UsageLine[]): string {
  const units = [...new Set(lines.flatMap((line) => Object.keys(line.units)))].sort();
  const rows = lines.map(({ groups: values, requests, costNanoUsd, units: used }) => [
    ...values.map((value) => value ?? ''),
    requests.toString(),
    formatUsd(costNanoUsd),
    ...units.map((unit) => (used[unit] ?? 0).toString()),
  ]);
  return csvRows([[...groups, 'requests', 'cost_usd', ...units], ...rows]);
}
