import { Describe } from '@gateway/api-description';
import { GatewayError } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { formatUsd } from '@gateway/money';
import {
  type AccountRecord,
  type AccountWithBalance,
  changeAccount,
  type Database,
  listAccounts,
  listKeyHashes,
} from '@gateway/postgres';
import { KeyCacheInvalidator } from '@gateway/redis';
import { Body, Controller, Get, Inject, Param, Patch, Query } from '@nestjs/common';
import type { z } from 'zod';
import { AllowAdmin } from '../guards/access.js';
import { accountView } from '../http/account-view.js';
import { decodeCursor, encodeCursor, readPage } from '../http/cursor.js';
import { Followable } from '../http/follow-answers.interceptor.js';
import { DATABASE } from '../tokens.js';
import {
  ACCOUNTS,
  accountChange,
  accountListing,
  accountWithBalance,
  adminAccountRecord,
} from './accounts.description.js';

const adminView = (account: AccountRecord): z.output<typeof adminAccountRecord> => ({
  ...accountView(account),
  rpm: account.requestsPerMinute,
  concurrency: account.concurrency,
  suspended_at: account.suspendedAt?.toISOString() ?? null,
  closed_at: account.closedAt?.toISOString() ?? null,
});

const viewWithBalance = (account: AccountWithBalance): z.output<typeof accountWithBalance> => ({
  ...adminView(account),
  balance_usd: formatUsd(account.customerNanoUsd + account.escrowNanoUsd + account.taskHoldsNanoUsd),
});

const unknown = () => new GatewayError('not_found', 'There is no such account.');

@Controller('admin/accounts')
export class AdminAccountsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly keyCacheInvalidator: KeyCacheInvalidator,
  ) {}

  @Describe(ACCOUNTS.list)
  @AllowAdmin()
  @Followable()
  @Get()
  async list(@Query() query: unknown) {
    const { limit, cursor, email, search } = parse(accountListing, query);
    const afterId = decodeCursor(cursor, /^acct_[a-z2-7]{26}$/);
    const filter = { ...(email !== undefined && { email }), ...(search !== undefined && { search }) };
    const { rows, next_cursor } = await readPage(
      limit,
      (count) => listAccounts(this.database, { afterId, limit: count, ...filter }),
      ({ id }) => encodeCursor(id),
    );
    return { data: rows.map(viewWithBalance), next_cursor };
  }

  @Describe(ACCOUNTS.show)
  @AllowAdmin()
  @Followable()
  @Get(':id')
  async show(@Param('id') id: string) {
    const [account] = await listAccounts(this.database, { afterId: null, limit: 1, id });
    if (account === undefined) throw unknown();
    return viewWithBalance(account);
  }

  /** Changes limits and suspension. The edges drop the account's keys from their caches at once. */
  @Describe(ACCOUNTS.change)
  @AllowAdmin()
  @Patch(':id')
  async change(@Param('id') id: string, @Body() body: unknown) {
    const { rpm, concurrency, suspended } = parse(accountChange, body);
    await this.keyCacheInvalidator.fence(await listKeyHashes(this.database, { accountId: id }));
    const changed = await changeAccount(this.database, id, {
      ...(rpm === undefined ? {} : { requestsPerMinute: rpm }),
      ...(concurrency === undefined ? {} : { concurrency }),
      ...(suspended === undefined ? {} : { suspendedAt: suspended ? new Date() : null }),
    });
    if (changed === null) throw unknown();
    await this.keyCacheInvalidator.invalidate(await listKeyHashes(this.database, { accountId: id }));
    return adminView(changed);
  }
}
