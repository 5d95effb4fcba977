import { Describe } from '@gateway/api-description';
import { parse } from '@gateway/json-service';
import { type Database, type MarginLine, marginReport } from '@gateway/postgres';
import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AllowAdmin } from '../guards/access.js';
import { csvRows } from '../http/csv.js';
import { DATABASE } from '../tokens.js';
import { MARGIN } from './margin.description.js';
import { type MarginGroup, marginQuery } from './margin-query.js';
import { byVendor, sumsView, totalOf } from './margin-view.js';

const lineView = (groupBy: MarginGroup, { group, label, ...sums }: MarginLine) => ({
  group,
  ...(groupBy === 'account' && { email: label }),
  ...sumsView(sums),
});

function marginCsv(groupBy: MarginGroup, lines: readonly MarginLine[]): string {
  const rows = lines.map((line) => Object.values(lineView(groupBy, line)).map((value) => `${value ?? ''}`));
  const names = Object.keys(lineView(groupBy, { group: '', label: null, ...totalOf([]) }));
  return csvRows([names, ...rows]);
}

/** What customers paid beside what vendors bill. */
@Controller('admin/margin')
export class MarginController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** By UTC day, model, vendor, account or endpoint. `total` sums all lines. */
  @Describe(MARGIN)
  @AllowAdmin()
  @Get()
  async show(@Query() query: unknown, @Res({ passthrough: true }) reply: FastifyReply) {
    const { groupBy, format, ...period } = parse(marginQuery(new Date()), query);
    const found = await marginReport(this.database, { ...period, groupBy: groupBy === 'vendor' ? 'model' : groupBy });
    const lines = groupBy === 'vendor' ? byVendor(found) : found;
    if (format === 'csv') {
      reply.type('text/csv; charset=utf-8');
      reply.header('content-disposition', `attachment; filename="margin-by-${groupBy}.csv"`);
      return marginCsv(groupBy, lines);
    }
    return {
      group_by: groupBy,
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      data: lines.map((line) => lineView(groupBy, line)),
      total: sumsView(totalOf(lines)),
      next_cursor: null,
    };
  }
}
