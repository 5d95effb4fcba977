import { Describe } from '@gateway/api-description';
import { parse } from '@gateway/json-service';
import { countSettlements, type Database, listSettlements, type SettlementFilter } from '@gateway/postgres';
import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AllowSessionOrKey } from '../guards/access.js';
import { type AccountCaller, AuthenticatedCaller } from '../guards/caller.js';
import { afterCursor, cursorAfter, requestLine, requestsCsv } from '../http/request-line.js';
import { DATABASE } from '../tokens.js';
import { filterOf, requestsQuery } from './requests-query.js';
import { STATEMENTS } from './statements.description.js';

/** A count reads every row, and a longer list is not read to its end. */
const MOST_COUNTED = 100_000;

/** The requests of an account that have a receipt, the newest first. */
@Controller('account/requests')
export class RequestsController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * A key without the scope `account:read` lists its own requests. The CSV form has the next cursor in a header.
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
    const { limit, cursor, format } = given;
    const after = afterCursor(cursor);
    const filter = filterOf(caller, given);
    const accountId = caller.account.id;
    const found = filter === null ? [] : await listSettlements(this.database, accountId, filter, { after, limit });
    const count = given.count === 'true' ? await this.#count(accountId, filter) : {};
    const last = found.length === limit ? found.at(-1) : undefined;
    const nextCursor = last === undefined ? null : cursorAfter(last);
    const data = found.map(requestLine);
    if (format === 'json') return { data, next_cursor: nextCursor, ...count };
    reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="requests.csv"');
    if (nextCursor !== null) reply.header('x-next-cursor', nextCursor);
    return requestsCsv(data);
  }

  async #count(accountId: string, filter: SettlementFilter | null) {
    const count = filter === null ? 0 : await countSettlements(this.database, accountId, filter, MOST_COUNTED);
    return { count, is_count_exact: count < MOST_COUNTED };
  }
}
