import { GatewayError, type GoogleModelEntry, type GoogleModelList } from '@gateway/contracts';

interface Page {
  readonly pageSize?: unknown;
  readonly pageToken?: unknown;
}

const DEFAULT_SIZE = 50;
const MAX_SIZE = 1_000;
const WHOLE_NUMBER = /^\d{1,6}$/;

/** One page in Google's form. The token is the place of the next entry. Throws a 400. */
export function googleModelPage(all: readonly GoogleModelEntry[], { pageSize, pageToken }: Page): GoogleModelList {
  const from = numberOf(pageToken, 'pageToken', 0);
  // Google takes 0 for the default, and a larger page for the largest.
  const size = Math.min(numberOf(pageSize, 'pageSize', DEFAULT_SIZE) || DEFAULT_SIZE, MAX_SIZE);
  const next = from + size;
  return { models: all.slice(from, next), ...(next < all.length && { nextPageToken: String(next) }) };
}

function numberOf(value: unknown, param: string, otherwise: number): number {
  if (value === undefined || value === '') return otherwise;
  if (WHOLE_NUMBER.test(String(value))) return Number(value);
  throw new GatewayError('invalid_request', `'${param}': expected a whole number.`, { param });
}
