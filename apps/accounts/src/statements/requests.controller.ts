import { Describe } from '@gateway/api-description';
import { parse } from '@gateway/json-service';
import { countSettlements, type Database, listSettlements, type SettlementFilter } from '@gateway/postgres';
import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AllowSessionOrKey } from '../guards/access.js';
import { type AccountCaller, AuthenticatedCaller } from '../guards/caller.js';
import { readPage } from '../http/cursor.js';
import { afterCursor, cursorAfter, REQUEST_COLUMNS, requestCells, requestLine } from '../http/request-line.js';
import { sendList } from '../http/send-list.js';
import { DATABASE } from '../tokens.js';
import { filterOf, requestsQuery } from './requests-query.js';
import { STATEMENTS } from './statements.description.js';

/** A count reads every row, and a longer list is not read to its end. */
const MOST_COUNTED = 100_000;

/** The requests of an account that have a receipt. */
@Controller('account/requests')
export class RequestsController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * A key without the scope `account:read` lists its own requests. The CSV form without `limit` has all that match.
   * `count=true` adds the number of all that match, exact below 100,000.
   */
  @Describe(STATEMENTS.requests)
  @AllowSessionOrKey('viewer')
  @Get()
  async list(
    @AuthenticatedCaller() caller: AccountCaller,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const given = parse(requestsQuery, query);
    const { order } = given;
    const filter = filterOf(caller, given);
    const accountId = caller.account.id;
    const page = await sendList(reply, given, {
      filename: 'requests.csv',
      columns: REQUEST_COLUMNS,
      cells: requestCells,
      read: async (limit, cursor) => {
        const after = afterCursor(cursor);
        const { rows, next_cursor } = await readPage(
          limit,
          async (count) =>
            filter === null ? [] : listSettlements(this.database, accountId, filter, { after, limit: count, order }),
          cursorAfter,
        );
        return { data: rows.map(requestLine), next_cursor };
      },
    });
    if (!given.count || given.format === 'csv') return page;
    return { ...(page as object), ...(await this.#count(accountId, filter)) };
  }

  async #count(accountId: string, filter: SettlementFilter | null) {
    const count = filter === null ? 0 : await countSettlements(this.database, accountId, filter, MOST_COUNTED);
    return { count, is_count_exact: count < MOST_COUNTED };
  }
}
