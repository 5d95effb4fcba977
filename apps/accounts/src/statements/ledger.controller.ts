import { Describe } from '@gateway/api-description';
import { parse } from '@gateway/json-service';
import { formatUsd } from '@gateway/money';
import { type AccountRecord, type Database, type LedgerLine, listLedger } from '@gateway/postgres';
import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { AllowAccountRead } from '../guards/access.js';
import { CallerAccount } from '../guards/caller.js';
import { decodeCursor, encodeCursor, readPage } from '../http/cursor.js';
import { sendList } from '../http/send-list.js';
import { DATABASE } from '../tokens.js';
import { ledgerListing, ledgerRecord, STATEMENTS } from './statements.description.js';

const COLUMNS = ['id', 'kind', 'amount_usd', 'reference', 'reason', 'created_at'] as const;

/** `settlement:req_…` without the prefix, which repeats the kind. */
const ownReference = ({ reference }: LedgerLine) => reference.slice(reference.indexOf(':') + 1);

const lineView = (line: LedgerLine): z.output<typeof ledgerRecord> => ({
  id: line.id.toString(),
  kind: line.kind,
  amount_usd: formatUsd(line.amountNanoUsd),
  reference: ownReference(line),
  reason: line.reason,
  created_at: line.createdAt.toISOString(),
});

@Controller('account/ledger')
export class LedgerController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** The changes of the balance. The CSV form without `limit` has all of them. */
  @Describe(STATEMENTS.ledger)
  @AllowAccountRead('billing')
  @Get()
  async list(
    @CallerAccount() account: AccountRecord,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { kind, order, from, to, ...listing } = parse(ledgerListing, query);
    return sendList(reply, listing, {
      filename: 'ledger.csv',
      columns: COLUMNS,
      read: async (limit, cursor) => {
        const place = decodeCursor(cursor, /^\d{1,18}$/);
        const afterId = place === null ? null : BigInt(place);
        const filter = { kind, order, from, to };
        const { rows, next_cursor } = await readPage(
          limit,
          (count) => listLedger(this.database, account.id, { ...filter, afterId, limit: count }),
          ({ id }) => encodeCursor(id.toString()),
        );
        return { data: rows.map(lineView), next_cursor };
      },
    });
  }
}
