import { Describe } from '@gateway/api-description';
import { findModel } from '@gateway/catalogue';
import { GatewayError } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { formatUsd } from '@gateway/money';
import { type AccountRecord, type Database, listPriceOverrides, usageStatement } from '@gateway/postgres';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import type { z } from 'zod';
import { AllowAccountRead } from '../guards/access.js';
import { CallerAccount } from '../guards/caller.js';
import { DATABASE } from '../tokens.js';
import { repriceUsage } from './reprice-usage.js';
import { type repricedLine, repricingQuery, STATEMENTS } from './statements.description.js';
import { usageQuery } from './usage-period.js';

/** What the usage of a period would have cost on another model. */
@Controller('account/usage/repriced')
export class UsageRepricedController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** By model, at today's prices of the account. */
  @Describe(STATEMENTS.repriced)
  @AllowAccountRead('viewer')
  @Get()
  async show(@CallerAccount() account: AccountRecord, @Query() query: unknown) {
    const { model, ...period } = parse(repricingQuery, query);
    const other = findModel(model);
    if (other === undefined) {
      throw new GatewayError('invalid_request', 'model: must be the id of a model of GET /account/models', {
        param: 'model',
      });
    }
    const now = new Date();
    const [lines, overrides] = await Promise.all([
      usageStatement(
        this.database,
        account.id,
        parse(usageQuery(now, account.timeZone), { ...period, group_by: 'model' }),
      ),
      listPriceOverrides(this.database, account.id),
    ]);
    const usage = lines.map(({ groups: [name], ...line }) => ({ ...line, model: name ?? '' }));
    const data = repriceUsage(usage, other, overrides, now.getTime()).map(
      (line): z.output<typeof repricedLine> => ({
        model: line.model,
        requests: Number(line.requests),
        units: line.units,
        cost_usd: formatUsd(line.costNanoUsd),
        other_cost_usd: line.otherNanoUsd === null ? null : formatUsd(line.otherNanoUsd),
        unpriced_units: line.unpricedUnits,
      }),
    );
    return { data, next_cursor: null, model: other.id };
  }
}
