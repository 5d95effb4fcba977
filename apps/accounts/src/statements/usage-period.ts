import { USAGE_DIMENSIONS, USAGE_PERIODS, type UsageGroup } from '@gateway/postgres';
import { z } from 'zod';
import { FIRST_DAY, TOO_EARLY } from '../http/fields.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const QUARTER_MS = 15 * 60 * 1_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;
/** A year by the hour would be thousands of lines for each other group. */
const MAX_DAYS_BY_HOUR = 31;
const MESSAGE = 'must be a day such as 2026-11-21 or an ISO 8601 time';

const GROUPS: readonly string[] = [...USAGE_PERIODS, ...USAGE_DIMENSIONS];
const GROUPS_MESSAGE = `must be one of ${USAGE_PERIODS.join(', ')}, up to two of ${USAGE_DIMENSIONS.join(', ')}, or both, with commas`;

/** In a URL that was not encoded, `+02:00` arrives as ` 02:00`. No valid time contains a space. */
const moment = z
  .string()
  .transform((text) => text.replace(' ', '+'))
  .pipe(z.union([z.iso.date(), z.iso.datetime({ offset: true })], { error: MESSAGE }))
  .refine((text) => text >= FIRST_DAY, TOO_EARLY)
  .optional();
const isDay = (text: string) => text.length === '2026-11-21'.length;

const countIn = (groups: readonly string[], names: readonly string[]) =>
  groups.filter((group) => names.includes(group)).length;

/** `day,model`: at most one period and two others, each once. */
const groupBy = z
  .string()
  .transform((text) => text.split(','))
  .refine(
    (groups) =>
      groups.every((group) => GROUPS.includes(group)) &&
      new Set(groups).size === groups.length &&
      countIn(groups, USAGE_PERIODS) <= 1 &&
      countIn(groups, USAGE_DIMENSIONS) <= 2,
    GROUPS_MESSAGE,
  )
  .transform((groups) => groups as UsageGroup[])
  .prefault('day');

/** The beginning of a day in the time zone, or the time itself. */
const instantOf = (text: string, timeZone: string, plusDays: number): Date =>
  isDay(text)
    ? new Date(Temporal.PlainDate.from(text).add({ days: plusDays }).toZonedDateTime(timeZone).epochMilliseconds)
    : new Date(text);

/** The query of a usage statement, as the client sends it. */
export const usagePeriod = z.strictObject({
  from: moment,
  to: moment,
  group_by: groupBy,
  format: z.enum(['json', 'csv']).default('json'),
});

/** A day as `to` is included. The default period is the last 30 days, up to the end of this quarter of an hour. */
export const usageQuery = (now: Date, timeZone: string) =>
  usagePeriod
    .transform(({ from, to, group_by, format }) => {
      const nextQuarter = new Date(Math.ceil(now.getTime() / QUARTER_MS) * QUARTER_MS);
      const end = to === undefined ? nextQuarter : instantOf(to, timeZone, 1);
      const start = from === undefined ? new Date(end.getTime() - DEFAULT_DAYS * DAY_MS) : instantOf(from, timeZone, 0);
      return { from: start, to: end, groups: group_by, timeZone, format };
    })
    .refine(({ from, to }) => from < to, { path: ['to'], message: 'must be later than from' })
    .refine(({ from, to }) => to.getTime() - from.getTime() <= MAX_DAYS * DAY_MS, {
      path: ['from'],
      message: `must be at most ${MAX_DAYS} days before to`,
    })
    .refine(
      ({ from, to, groups }) =>
        !groups.includes('hour') || to.getTime() - from.getTime() <= (MAX_DAYS_BY_HOUR + 1) * DAY_MS,
      { path: ['from'], message: `must be at most ${MAX_DAYS_BY_HOUR} days before to with group_by=hour` },
    );
