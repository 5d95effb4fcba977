import { formatUsd } from '@gateway/money';
import { type Database, usageStatement } from '@gateway/postgres';
import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DATABASE } from '../billing-doors.js';
import { parse } from '../parse.js';
import { Sessions } from '../sessions.service.js';
import { usageCsv } from './usage-csv.js';
import { usageQuery } from './usage-period.js';

@Controller('account/usage')
export class UsageController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly sessions: Sessions,
  ) {}

  /** Sums of what was settled in a period, by day, model or key. */
  @Get()
  async show(@Req() request: FastifyRequest, @Query() query: unknown, @Res({ passthrough: true }) reply: FastifyReply) {
    const { id } = await this.sessions.readerOf(request);
    const { format, ...period } = parse(usageQuery(new Date()), query);
    const lines = await usageStatement(this.database, id, period);
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
