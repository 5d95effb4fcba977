const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const STEP = 1_000;

/** `512 bytes`, `1.4 MB`, `10 GB`: decimal units, as vendors count storage. */
export function bytes(count: number, locale: string): string {
  const power = count < STEP ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(count) / 3));
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    // Only the long form of a byte has a plural.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(count / STEP ** power);
}
