import { GatewayError } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import { type AccountRecord, changeAccount, type Database, keyHashesOf, listAccounts } from '@gateway/postgres';
import { Body, Controller, Get, Headers, Inject, Param, Patch, Query } from '@nestjs/common';
import { z } from 'zod';
import { DATABASE } from '../billing-doors.js';
import { decodeCursor, encodeCursor } from '../cursor.js';
import { page } from '../fields.js';
import { ForgetKeys } from '../forget-keys.service.js';
import { parse } from '../parse.js';
import { Tokens } from '../tokens.service.js';
import { accountView } from './account-view.js';

const limit = z.int().min(0).max(1_000_000).nullable().optional();
const change = z.strictObject({ rpm: limit, concurrency: limit, suspended: z.boolean().optional() });
const listing = z.strictObject(page);

const adminView = (account: AccountRecord) => ({
  ...accountView(account),
  rpm: account.requestsPerMinute,
  concurrency: account.concurrency,
  suspended_at: account.suspendedAt?.toISOString() ?? null,
});

@Controller('admin/accounts')
export class AdminAccountsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly forgetKeys: ForgetKeys,
    private readonly tokens: Tokens,
  ) {}

  @Get()
  async list(@Headers('authorization') authorization: string | undefined, @Query() query: unknown) {
    this.tokens.requireAdmin(authorization);
    const { limit: size, cursor } = parse(listing, query);
    const afterId = decodeCursor(cursor, /^acct_[a-z2-7]{26}$/);
    const accounts = await listAccounts(this.database, { afterId, limit: size });
    const last = accounts.length === size ? accounts.at(-1) : undefined;
    return {
      data: accounts.map((account) => ({
        ...adminView(account),
        balance_usd: formatUsd(account.customerNanoUsd + account.escrowNanoUsd + account.taskHoldsNanoUsd),
      })),
      next_cursor: last === undefined ? null : encodeCursor(last.id),
    };
  }

  /** Limits and suspension; the edge forgets the account's keys at once. */
  @Patch(':id')
  async change(
    @Headers('authorization') authorization: string | undefined,
    @Param('id') id: string,
    @Body() body: unknown,
  ) {
    this.tokens.requireAdmin(authorization);
    const { rpm, concurrency, suspended } = parse(change, body);
    const changed = await changeAccount(this.database, id, {
      ...(rpm === undefined ? {} : { requestsPerMinute: rpm }),
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(suspended === undefined ? {} : { suspendedAt: suspended ? new Date() : null }),
    });
    if (changed === null) throw new GatewayError('not_found', 'There is no such account.');
    await this.forgetKeys.forget(await keyHashesOf(this.database, id));
    return adminView(changed);
  }
}
