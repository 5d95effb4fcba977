const DAY_MS = 24 * 60 * 60 * 1_000;

export interface Days {
  readonly from: string;
  readonly to: string;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The last `count` UTC days, today included. */
export const lastDays = (count: number, now = Date.now()): Days => ({
  from: dayOf(now - (count - 1) * DAY_MS),
  to: dayOf(now),
});

/** This UTC month until today. */
export const thisMonth = (now = Date.now()): Days => ({ from: `${dayOf(now).slice(0, 8)}01`, to: dayOf(now) });
