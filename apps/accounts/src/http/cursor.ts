import { GatewayError } from '@gateway/contracts';

/** Encodes the position of the next page. Clients return the cursor without reading it. */
export const encodeCursor = (position: string): string => Buffer.from(position).toString('base64url');

/** The cursor of the next page. Null: this one was not full, so it is the last. */
export function nextCursor<Row>(
  rows: readonly Row[],
  limit: number,
  cursorAfter: (last: Row) => string,
): string | null {
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return last === undefined ? null : cursorAfter(last);
}

/** Null: the first page. Throws a 400 for a position that does not match `shape`: we have not issued that cursor. */
export function decodeCursor(cursor: string | undefined, shape: RegExp): string | null {
  if (cursor === undefined) return null;
  const position = Buffer.from(cursor, 'base64url').toString();
  if (shape.test(position)) return position;
  throw new GatewayError('invalid_request', 'cursor: must be the next_cursor of this list', { param: 'cursor' });
}

/** A row of a list by time. Unix milliseconds. */
export interface Place {
  readonly atMs: number;
  readonly id: string;
}

export const encodePlace = ({ atMs, id }: Place): string => encodeCursor(`${atMs} ${id}`);

/** As `decodeCursor`, in a list by time. `id`: the shape of its ids, which have no space. */
export function decodePlace(cursor: string | undefined, id: RegExp): Place | null {
  const position = decodeCursor(cursor, new RegExp(`^\\d{1,15} ${id.source}$`));
  if (position === null) return null;
  const space = position.indexOf(' ');
  return { atMs: Number(position.slice(0, space)), id: position.slice(space + 1) };
}
