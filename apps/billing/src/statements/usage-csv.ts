import { formatUsd } from '@gateway/money';
import type { UsageLine } from '@gateway/postgres';

const LEADS_A_FORMULA = /^[=+\-@\t\r]/;

/** Quoted where it must be; what a spreadsheet would run as a formula is defused. */
export function csvField(value: string): string {
  const text = LEADS_A_FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One row for each group, one column for each unit that occurs. */
export function usageCsv(groupBy: string, lines: readonly UsageLine[]): string {
  const units = [...new Set(lines.flatMap((line) => Object.keys(line.units)))].sort();
  const rows = lines.map(({ group, requests, costNanoUsd, units: used }) => [
    group,
    requests.toString(),
    formatUsd(costNanoUsd),
    ...units.map((unit) => (used[unit] ?? 0).toString()),
  ]);
  return [[groupBy, 'requests', 'cost_usd', ...units], ...rows]
    .map((row) => `${row.map(csvField).join(',')}\r\n`)
    .join('');
}
