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

/** What the clocks of a zone show at a moment, as if they showed UTC. */
function wallMs(ms: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
    hourCycle: 'h23',
  }).format(ms);
  return Date.parse(`${parts.replace(', ', 'T')}Z`);
}

/** When a day begins in a time zone, as ISO 8601: `2026-11-21T15:00:00.000Z` in Tokyo. */
export function startOfDay(day: string, timeZone: string): string {
  const midnight = Date.parse(day);
  const near = midnight - (wallMs(midnight, timeZone) - midnight);
  // The clocks may have changed between the two midnights.
  return new Date(midnight - (wallMs(near, timeZone) - near)).toISOString();
}
