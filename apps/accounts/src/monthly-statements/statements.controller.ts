import { Readable } from 'node:stream';
import { Describe } from '@gateway/api-description';
import { parse } from '@gateway/json-service';
import { formatUsd } from '@gateway/money';
import { type AccountRecord, type Database, listStatementMonths } from '@gateway/postgres';
import { Controller, Get, Inject, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AllowAccountRead } from '../guards/access.js';
import { CallerAccount } from '../guards/caller.js';
import { DATABASE } from '../tokens.js';
import { FindStatement } from './find-statement.service.js';
import { statementCsv } from './statement-csv.js';
import { statementView } from './statement-view.js';
import { MONTHLY_STATEMENTS, statementPath, statementQuery } from './statements.description.js';

const CONTENT_TYPES = { csv: 'text/csv; charset=utf-8', pdf: 'application/pdf' } as const;

/** The months of an account's ledger. Each statement says how it compares with the ledger. */
@Controller('account/statements')
export class StatementsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly findStatement: FindStatement,
  ) {}

  /** The months with lines, the newest first, in the time zone of the account. */
  @Describe(MONTHLY_STATEMENTS.list)
  @AllowAccountRead('billing')
  @Get()
  async list(@CallerAccount() account: AccountRecord) {
    const months = await listStatementMonths(this.database, { accountId: account.id, timeZone: account.timeZone });
    const data = months.map(({ month: name, lines, amountNanoUsd }) => ({
      month: name,
      lines: Number(lines),
      change_usd: formatUsd(amountNanoUsd),
    }));
    return { data, next_cursor: null };
  }

  /** Totals and charges by model; as CSV every line of the month. The current month ends a minute ago. */
  @Describe(MONTHLY_STATEMENTS.show)
  @AllowAccountRead('billing')
  @Get(':month')
  async show(
    @CallerAccount() account: AccountRecord,
    @Param() given: unknown,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { format: form } = parse(statementQuery, query);
    const statement = await this.findStatement.find(account, parse(statementPath, given).month);
    if (form === 'json') return statementView(statement);
    const filename = `statement-${statement.month}.${form}`;
    reply.type(CONTENT_TYPES[form]).header('content-disposition', `attachment; filename="${filename}"`);
    const lines = this.findStatement.lines(statement);
    if (form === 'csv') return Readable.from(statementCsv(statement, lines));
    // Few read one, and the library has 3 MB of source, which V8 would keep.
    const { statementPdf } = await import('./statement-pdf.js');
    return Readable.from(statementPdf(statement));
  }
}
