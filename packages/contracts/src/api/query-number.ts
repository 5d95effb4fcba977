import { z } from 'zod';

interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** A number beyond a limit is a whole one: its error names the limit. */
const NO_WHOLE_NUMBER = {
  error: ({ code }: { readonly code?: string | undefined }) =>
    code === 'invalid_type' ? 'expected a whole number' : undefined,
};

const within = ({ least, most }: Bounds) => z.int(NO_WHOLE_NUMBER).min(least).max(most);

const numberOf = (given: unknown): unknown =>
  typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : given;

/** A number of a query, whose values are text. Its description is that of a number, so that typed clients take one. */
export const queryNumber = (bounds: Bounds) => z.preprocess(numberOf, within(bounds));

/** The number of entries of a page. */
export const pageLimit = ({ most, usual }: { readonly most: number; readonly usual: number }) =>
  z.preprocess(numberOf, within({ least: 1, most }).default(usual));
