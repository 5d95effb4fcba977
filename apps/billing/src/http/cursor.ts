import { GatewayError } from '@gateway/contracts';

/** Where the next page begins, as a word that clients hand back and do not read. */
export const encodeCursor = (place: string): string => Buffer.from(place).toString('base64url');

/** Null for the first page. `shape` is what a place looks like: anything else was not given by us. */
export function decodeCursor(cursor: string | undefined, shape: RegExp): string | null {
  if (cursor === undefined) return null;
  const place = Buffer.from(cursor, 'base64url').toString();
  if (shape.test(place)) return place;
  throw new GatewayError('invalid_request', 'cursor: is not a cursor of this list', { param: 'cursor' });
}
