const DAY_MS = 24 * 60 * 60 * 1_000;

export interface Days {
  readonly from: string;
  readonly to: string;
}

/** `2026-11-22` in the time zone of the organisation: the account interface counts its days there, too. */
const dayOf = (ms: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(ms);

const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, day.length);

/** The last `count` days, today included. */
export function lastDays(count: number, timeZone: string, now = Date.now()): Days {
  const today = dayOf(now, timeZone);
  return { from: daysBefore(today, count - 1), to: today };
}

/** This month until today. */
export function thisMonth(timeZone: string, now = Date.now()): Days {
  const today = dayOf(now, timeZone);
  return { from: `${today.slice(0, 8)}01`, to: today };
}
