import { Describe } from '@gateway/api-description';
import { parse } from '@gateway/json-service';
import { formatUsd } from '@gateway/money';
import type { FindingRecord } from '@gateway/postgres';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { AllowAdmin } from '../guards/access.js';
import { decodeCursor, encodeCursor, readPage } from '../http/cursor.js';
import { Followable } from '../http/follow-answers.interceptor.js';
import { FINDINGS, type FindingView, findingListing, findingPath } from './findings.description.js';
import { ReadFindings } from './read-findings.service.js';

const view = (row: FindingRecord): FindingView => ({
  id: row.id,
  account_id: row.accountId,
  request_id: row.requestId,
  amount_usd: row.amountNanoUsd === null ? null : formatUsd(row.amountNanoUsd),
  at: row.at?.toISOString() ?? null,
  about: row.about,
});

/** The rows behind the numbers of `/admin/reconciliation`. */
@Controller('admin/findings')
export class FindingsController {
  constructor(private readonly findings: ReadFindings) {}

  @Describe(FINDINGS)
  @AllowAdmin()
  @Followable()
  @Get(':kind')
  async list(@Param() path: unknown, @Query() query: unknown) {
    const { kind } = parse(findingPath, path);
    const { limit, cursor } = parse(findingListing, query);
    const offset = Number(decodeCursor(cursor, /^\d{1,6}$/) ?? 0);
    const { rows, next_cursor } = await readPage(
      limit,
      (count) => this.findings.read(kind, { offset, limit: count }),
      () => encodeCursor(`${offset + limit}`),
    );
    return { data: rows.map(view), next_cursor };
  }
}
