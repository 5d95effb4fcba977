const DAY_MS = 24 * 60 * 60 * 1_000;
const MINUTE_MS = 60_000;

const UNITS = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['day', DAY_MS],
  ['hour', 60 * 60 * 1_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** `2 minutes ago`, `in 3 days`. */
export function relativeTime(time: Date, now: Date, locale: string): string {
  const distance = time.getTime() - now.getTime();
  const [unit, size] = UNITS.find(([, ms]) => Math.abs(distance) >= ms) ?? ['second', 1_000];
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.round(distance / size), unit);
}

/** `22 Nov 2026, 15:04:05 GMT+1`, in the person's own time zone, or in that of a document. */
export const exactTime = (time: Date, locale: string, timeZone?: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long', hourCycle: 'h23', timeZone }).format(time);

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;

/** `15:04:05` on the same day, `22 Nov, 15:04` in the same year, else `22 Nov 2025`. */
export function shortTime(time: Date, now: Date, locale: string): string {
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options).format(time);
  if (time.toDateString() === now.toDateString()) return format({ ...CLOCK, second: '2-digit' });
  if (time.getFullYear() === now.getFullYear()) return format({ ...DAY, ...CLOCK });
  return format({ ...DAY, year: 'numeric' });
}

export const shortDay = (time: Date, locale: string): string =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(time);

/** `22 Nov 2026` of a report that counts UTC days. */
export const utcDay = (time: Date, locale: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(time);

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** `November 2026`, of `2026-11`. A text that is no month stays. */
export function monthName(month: string, locale: string): string {
  if (!MONTH.test(month)) return month;
  const first = new Date(`${month}-01`);
  return new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(first);
}

/** Up to a hundred of each unit, to one decimal. */
const LONG_UNITS = [
  ['second', 1_000],
  ['minute', MINUTE_MS],
  ['hour', 60 * MINUTE_MS],
  ['day', DAY_MS],
] as const;

/** `840 ms`, `3.2 s`, `4 min`, `2.5 hr`, `10 days`. */
export function duration(milliseconds: number, locale: string): string {
  const format = (value: number, unit: string, digits = 0) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits }).format(
      value,
    );
  if (milliseconds < 999.5) return format(milliseconds, 'millisecond');
  const [unit, size] = LONG_UNITS.find(([, ms]) => milliseconds < 100 * ms) ?? ['day', DAY_MS];
  return format(milliseconds / size, unit, 1);
}

/** ISO 8601 as the field `datetime-local` has it, in the zone of the browser: `2026-11-22T15:04`. */
export function localTime(iso: string): string {
  const time = new Date(iso);
  return new Date(time.getTime() - time.getTimezoneOffset() * MINUTE_MS)
    .toISOString()
    .slice(0, '2026-11-22T15:04'.length);
}

/** What `datetime-local` has, as ISO 8601. */
export const isoTime = (local: string): string => new Date(local).toISOString();
