const LEADS_A_FORMULA = /^[=+\-@\t\r]/;
const IS_A_NUMBER = /^-?\d+(\.\d+)?$/;

/** Quoted where it must be; what a spreadsheet would run as a formula is defused. An amount below zero is none. */
export function csvField(value: string): string {
  const text = LEADS_A_FORMULA.test(value) && !IS_A_NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvRows = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
