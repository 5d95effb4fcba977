import { parseUsd } from '@gateway/money';
import { z } from 'zod';

/** Above every real amount, and far below the range of a BIGINT of nano-USD. */
const MAX_USD = 1_000_000;

const MAX_PAGE_SIZE = 200;
const PAGE_SIZE = `must be a whole number from 1 to ${MAX_PAGE_SIZE}`;

const USD_EXPECTED = 'must be a decimal string of USD such as "4.998213", without commas or a currency sign';

/** A decimal string of USD with at most nine decimals, as nano-USD. */
export const usd = z
  .string(USD_EXPECTED)
  .regex(/^-?\d{1,7}(\.\d{1,9})?$/, USD_EXPECTED)
  .transform((decimal) => parseUsd(decimal))
  .refine((amount) => amount <= parseUsd(`${MAX_USD}`), `must be at most ${MAX_USD}`);

/** An address in lower case, as the database stores it. */
export const email = z.email('must be an email address').max(254).toLowerCase();

/** The languages of mails. */
const LOCALES = ['en', 'zh'] as const;
export const locale = z.enum(LOCALES, `must be one of ${LOCALES.join(', ')}`);

/** PostgreSQL has no year 0, and five digits are no ISO 8601. An offset can lead to both. */
const hasYear = (time: Date): boolean => time.getUTCFullYear() >= 1 && time.getUTCFullYear() <= 9_999;

export const instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time such as 2026-11-21T12:00:00Z' })
  .transform((text) => new Date(text))
  .refine(hasYear, 'must be in a year from 1 to 9999');

/** A time in a query. In a URL that was not encoded, `+02:00` arrives as ` 02:00`. */
const queryInstant = z
  .preprocess((given) => (typeof given === 'string' ? given.replace(' ', '+') : given), instant)
  .optional();

/** Where reports begin: no request is older. The default period of an older end could begin in the year 0. */
export const FIRST_DAY = '1970-01-01';
export const TOO_EARLY = `must not be before ${FIRST_DAY}`;

/** Which end of a list by time comes first. */
export const order = z
  .enum(['newest', 'oldest'], 'must be newest or oldest')
  .default('newest')
  .meta({ description: 'What comes first.' });

/** A period of a query. */
export const fromTo = { from: queryInstant, to: queryInstant };

/** For a schema with `fromTo`: refuses a period that holds no time. */
export const isPeriod = ({ from, to }: { readonly from?: Date | undefined; readonly to?: Date | undefined }): boolean =>
  from === undefined || to === undefined || from < to;
export const PERIOD_FAULT = { path: ['to'], message: 'must be later than from' };

/** Half of a pair of UTF-16: no database and no UTF-8 can hold it. */
const isWellFormed = (given: string): boolean => given.isWellFormed();
const NOT_WELL_FORMED = 'must not contain half of a surrogate pair';

/** Text without the character NUL, which PostgreSQL cannot store. */
export const text = (maxCharacters: number) =>
  z
    .string()
    .max(maxCharacters)
    .refine((given) => !given.includes('\0'), 'must not contain the character NUL')
    .refine(isWellFormed, NOT_WELL_FORMED);

/** Without classes of Unicode: they need a flag of the regular expression, which the description cannot carry. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const NO_CONTROL_CHARACTERS = /^[^\x00-\x1f\x7f-\x9f]*$/;
const NOT_ONE_LINE = 'must be one line, without control characters';

/** Separators of lines, and the controls that turn the text beside a name. */
const UNICODE_CONTROLS = /[\u2028-\u202e\u2066-\u2069]/;

/** The blank of Braille is a symbol to Unicode. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A name: one line of text that a person can see. */
export const oneLine = (maxCharacters: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxCharacters)
    .regex(NO_CONTROL_CHARACTERS, NOT_ONE_LINE)
    .refine((given) => !UNICODE_CONTROLS.test(given), NOT_ONE_LINE)
    .refine((given) => VISIBLE.test(given), 'must have a visible character')
    .refine(isWellFormed, NOT_WELL_FORMED);

const pageSize = z.coerce.number(PAGE_SIZE).int(PAGE_SIZE).min(1, PAGE_SIZE).max(MAX_PAGE_SIZE, PAGE_SIZE);
const cursor = z.string().max(128).optional();

/** The query of a page: its size, and the `next_cursor` of the previous page. */
export const page = { limit: pageSize.default(50), cursor };

/** The query of a list that is also a CSV file: without `limit`, the file has every row from the cursor on. */
export const pageOrFile = {
  limit: pageSize.optional(),
  cursor,
  format: z.enum(['json', 'csv'], 'must be json or csv').default('json'),
};
