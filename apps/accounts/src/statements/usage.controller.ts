import { Describe } from '@gateway/api-description';
import { parse } from '@gateway/json-service';
import { formatUsd } from '@gateway/money';
import { type AccountRecord, type Database, namesOfKeys, type UsageLine, usageStatement } from '@gateway/postgres';
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

  /** The settled usage of a period, by hour, day or month of the account's time zone and up to two other groups. */
  @Describe(STATEMENTS.usage)
  @AllowAccountRead('viewer')
  @Get()
  async show(
    @CallerAccount() account: AccountRecord,
    @Query() query: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { format, ...period } = parse(usageQuery(new Date(), account.timeZone), query);
    const lines = await usageStatement(this.database, account.id, period);
    const { groups } = period;
    const names = await this.#namesOfKeys(account, groups.indexOf('key'), lines);
    if (format === 'csv') {
      reply.type('text/csv; charset=utf-8');
      reply.header('content-disposition', `attachment; filename="usage-by-${groups.join('-')}.csv"`);
      return usageCsv(groups, lines, names);
    }
    const data = lines.map(({ groups: values, requests, costNanoUsd, units }) => ({
      ...Object.fromEntries(groups.map((group, index) => [group, values[index]])),
      ...(names !== undefined && { key_name: names(values) }),
      requests: Number(requests),
      cost_usd: formatUsd(costNanoUsd),
      units,
    }));
    return { data, next_cursor: null };
  }

  /** Undefined: no group is the key. A key that has ended has no other place that names it. */
  async #namesOfKeys(
    { id }: AccountRecord,
    place: number,
    lines: readonly UsageLine[],
  ): Promise<((values: UsageLine['groups']) => string | null) | undefined> {
    if (place === -1) return undefined;
    const ids = new Set(lines.flatMap(({ groups }) => groups[place] ?? []));
    const names = await namesOfKeys(this.database, id, [...ids]);
    return (values) => names.get(values[place] ?? '') ?? null;
  }
}
