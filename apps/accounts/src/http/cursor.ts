import { GatewayError } from '@gateway/contracts';

/** Encodes the position of the next page. Clients return the cursor without reading it. */
export const encodeCursor = (position: string): string => Buffer.from(position).toString('base64url');

/** Null: the first page. Throws a 400 for a position that does not match `shape`: we have not issued that cursor. */
export function decodeCursor(cursor: string | undefined, shape: RegExp): string | null {
  if (cursor === undefined) return null;
  const position = Buffer.from(cursor, 'base64url').toString();
  if (shape.test(position)) return position;
  throw new GatewayError('invalid_request', 'cursor: must be the next_cursor of this list', { param: 'cursor' });
}
