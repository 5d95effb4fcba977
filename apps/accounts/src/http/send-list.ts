import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { csvRows } from './csv.js';

/** The query of a list, as `pageOrFile` parses it. */
export interface ListQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly format: 'json' | 'csv';
}

export interface ListPage<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

export interface ListForm<Row> {
  /** Such as `requests.csv`. */
  readonly filename: string;
  readonly columns: readonly string[];
  /** The cells of a row by column. Default: the fields of the row. */
  readonly cells?: (row: Row) => object;
  readonly read: (limit: number, cursor: string | undefined) => Promise<ListPage<Row>>;
}

const DEFAULT_PAGE = 50;
const FILE_PAGE = 200;

type Lines<Row> = Pick<ListForm<Row>, 'columns' | 'cells'>;

function linesOf<Row>(rows: readonly Row[], { columns, cells }: Lines<Row>): string {
  const values = rows.map((row) => (cells === undefined ? row : cells(row)) as Readonly<Record<string, unknown>>);
  return csvRows(values.map((row) => columns.map((column) => `${row[column] ?? ''}`)));
}

/** The rows of the whole list. The next page is read when the client has taken the one before. */
async function* wholeFile<Row>(
  first: ListPage<Row>,
  { read, ...lines }: Lines<Row> & Pick<ListForm<Row>, 'read'>,
): AsyncGenerator<string> {
  yield csvRows([lines.columns]) + linesOf(first.data, lines);
  let cursor = first.next_cursor;
  while (cursor !== null) {
    const page = await read(FILE_PAGE, cursor);
    yield linesOf(page.data, lines);
    cursor = page.next_cursor;
  }
}

/**
 * One page as JSON, or rows as CSV: with a `limit` one page, whose next cursor is in the header `x-next-cursor`, without
 * one the whole list. The first page is read before the head is sent, so a wrong cursor is an error like any other.
 */
export async function sendList<Row>(
  reply: FastifyReply,
  { limit, cursor, format }: ListQuery,
  { filename, ...form }: ListForm<Row>,
): Promise<ListPage<Row> | string | Readable> {
  if (format === 'json') return form.read(limit ?? DEFAULT_PAGE, cursor);
  const first = await form.read(limit ?? FILE_PAGE, cursor);
  reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${filename}"`);
  if (limit === undefined) return Readable.from(wholeFile(first, form), { objectMode: false });
  if (first.next_cursor !== null) reply.header('x-next-cursor', first.next_cursor);
  return csvRows([form.columns]) + linesOf(first.data, form);
}
