import { formatUsd } from '@gateway/money';
import { type Database, type LedgerLine, listLedger } from '@gateway/postgres';
import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DATABASE } from '../billing-doors.js';
import { csvRows } from '../csv.js';
import { decodeCursor, encodeCursor } from '../cursor.js';
import { page } from '../fields.js';
import { parse } from '../parse.js';
import { Sessions } from '../sessions.service.js';

const listing = z.strictObject({ ...page, format: z.enum(['json', 'csv']).default('json') });

const COLUMNS = ['id', 'kind', 'amount_usd', 'reference', 'reason', 'created_at'] as const;

/** `settlement:req_…` and `credit:…` without the word before the colon, which is the kind. */
const ownReference = ({ reference }: LedgerLine) => reference.slice(reference.indexOf(':') + 1);

const lineView = (line: LedgerLine) => ({
  id: line.id.toString(),
  kind: line.kind,
  amount_usd: formatUsd(line.amountNanoUsd),
  reference: ownReference(line),
  reason: line.reason,
  created_at: line.createdAt.toISOString(),
});

@Controller('account/ledger')
export class LedgerController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly sessions: Sessions,
  ) {}

  /** What changed the balance, the newest first. As CSV too, page by page: the cursor is in a header then. */
  @Get()
  async list(@Req() request: FastifyRequest, @Query() query: unknown, @Res({ passthrough: true }) reply: FastifyReply) {
    const { id } = await this.sessions.readerOf(request);
    const { limit, cursor, format } = parse(listing, query);
    const place = decodeCursor(cursor, /^\d{1,18}$/);
    const lines = await listLedger(this.database, id, { beforeId: place === null ? null : BigInt(place), limit });
    const last = lines.length === limit ? lines.at(-1) : undefined;
    const nextCursor = last === undefined ? null : encodeCursor(last.id.toString());
    const data = lines.map(lineView);
    if (format === 'json') return { data, next_cursor: nextCursor };
    reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="ledger.csv"');
    if (nextCursor !== null) reply.header('x-next-cursor', nextCursor);
    return csvRows([COLUMNS, ...data.map((line) => COLUMNS.map((column) => line[column] ?? ''))]);
  }
}
