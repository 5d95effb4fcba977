import { formatUsd } from '@gateway/money';
import type { UsageLine } from '@gateway/postgres';
import { csvRows } from '../http/csv.js';

/** A row for each line, and a column for each group and each unit that occurs. `keyName`: of the line's groups, if one is the key. */
export function usageCsv(
  groups: readonly string[],
  lines: readonly UsageLine[],
  keyName?: (values: UsageLine['groups']) => string | null,
): string {
  const units = [...new Set(lines.flatMap((line) => Object.keys(line.units)))].sort();
  const rows = lines.map(({ groups: values, requests, costNanoUsd, units: used }) => [
    ...values.map((value) => value ?? ''),
    ...(keyName === undefined ? [] : [keyName(values) ?? '']),
    requests.toString(),
    formatUsd(costNanoUsd),
    ...units.map((unit) => (used[unit] ?? 0).toString()),
  ]);
  return csvRows([
    [...groups, ...(keyName === undefined ? [] : ['key_name']), 'requests', 'cost_usd', ...units],
    ...rows,
  ]);
}
