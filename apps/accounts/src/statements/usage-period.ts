import { z } from 'zod';

const DAY_MS = 24 * 60 * 60 * 1_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
const MESSAGE = 'must be a day such as 2026-11-21 or an ISO 8601 time';

/** In a URL that was not encoded, `+02:00` arrives as ` 02:00`. No valid time contains a space. */
const moment = z
  .string()
  .transform((text) => text.replace(' ', '+'))
  .pipe(z.union([z.iso.date(), z.iso.datetime({ offset: true })], { error: MESSAGE }))
  .optional();
const isDay = (text: string) => text.length === '2026-11-21'.length;

/** The query of a usage statement, as the client sends it. */
export const usagePeriod = z.strictObject({
  from: moment,
  to: moment,
  group_by: z.enum(['day', 'model', 'key']).default('day'),
  format: z.enum(['json', 'csv']).default('json'),
});

/** A day as `to` is included. The default period is the last 30 days. */
export const usageQuery = (now: Date) =>
  usagePeriod
    .transform(({ from, to, group_by, format }) => {
      const end = to === undefined ? now : new Date(new Date(to).getTime() + (isDay(to) ? DAY_MS : 0));
      const start = from === undefined ? new Date(end.getTime() - DEFAULT_DAYS * DAY_MS) : new Date(from);
      return { from: start, to: end, groupBy: group_by, format };
    })
    .refine(({ from, to }) => from < to, { path: ['to'], message: 'must be later than from' })
    .refine(({ from, to }) => to.getTime() - from.getTime() <= MAX_DAYS * DAY_MS, {
      path: ['from'],
      message: `must be at most ${MAX_DAYS} days before to`,
    });
