import { Describe } from '@gateway/api-description';
import { parse } from '@gateway/json-service';
import { formatUsd } from '@gateway/money';
import { type AccountRecord, type Database, usageStatement } from '@gateway/postgres';
import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AllowAccountRead } from '../guards/access.js';
import { CallerAccount } from '../guards/caller.js';
import { DATABASE } from '../tokens.js';
import { STATEMENTS } from './statements.description.js';
import { usageCsv } from './usage-csv.js';
import { usageQuery } from './usage-period.js';

@Controller('account/usage')
export class UsageController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** The settled usage of a period, summed by day, model or key. */
  @Describe(STATEMENTS.usage)
  @AllowAccountRead('viewer')
  @Get()
  async show(
    @CallerAccount() account: AccountRecord,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { format, ...period } = parse(usageQuery(new Date()), query);
    const lines = await usageStatement(this.database, account.id, period);
    if (format === 'csv') {
      reply.type('text/csv; charset=utf-8');
      reply.header('content-disposition', `attachment; filename="usage-by-${period.groupBy}.csv"`);
      return usageCsv(period.groupBy, lines);
    }
    const data = lines.map(({ group, requests, costNanoUsd, units }) => ({
      [period.groupBy]: group,
      requests: Number(requests),
      cost_usd: formatUsd(costNanoUsd),
      units,
    }));
    return { data, next_cursor: null };
  }
}
