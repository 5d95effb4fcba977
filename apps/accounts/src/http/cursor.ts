import { GatewayError } from '@gateway/contracts';

/** Encodes the position of the next page. Clients return the cursor without reading it. */
export const encodeCursor = (position: string): string => Buffer.from(position).toString('base64url');

/** The rows of one page, and the cursor of the next one. Null: this page is the last. */
interface PageOfRows<Row> {
  readonly rows: readonly Row[];
  readonly next_cursor: string | null;
}

/** Reads a page of `limit` rows and one row more, so that a full last page leads to no empty one. */
export async function readPage<Row>(
  limit: number,
  read: (count: number) => Promise<readonly Row[]>,
  cursorAfter: (last: Row) => string,
): Promise<PageOfRows<Row>> {
  const found = await read(limit + 1);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, next_cursor: last === undefined ? null : cursorAfter(last) };
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
