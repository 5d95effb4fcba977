import { parse } from '@gateway/json-service';
import { formatUsd } from '@gateway/money';
import { type AccountRecord, changeAccount, type Database } from '@gateway/postgres';
import { Body, Controller, Get, Inject, Patch } from '@nestjs/common';
import { z } from 'zod';
import { AllowActiveSession, AllowSession } from '../guards/access.js';
import { CallerAccount } from '../guards/caller.js';
import { usd } from '../http/fields.js';
import { DATABASE } from '../tokens.js';

const change = z.strictObject({
  low_balance_usd: usd
    .refine((amount) => amount >= 0n, 'must not be below zero')
    .nullable()
    .optional(),
});

const settingsView = ({ lowBalanceNanoUsd }: AccountRecord) => ({
  low_balance_usd: lowBalanceNanoUsd === null ? null : formatUsd(lowBalanceNanoUsd),
});

/** The settings of an account that its owner changes. */
@Controller('account/settings')
export class AccountSettingsController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  @AllowSession()
  @Get()
  show(@CallerAccount() account: AccountRecord) {
    return settingsView(account);
  }

  @AllowActiveSession()
  @Patch()
  async change(@CallerAccount() account: AccountRecord, @Body() body: unknown) {
    const { low_balance_usd: lowBalanceNanoUsd } = parse(change, body);
    if (lowBalanceNanoUsd === undefined) return settingsView(account);
    return settingsView((await changeAccount(this.database, account.id, { lowBalanceNanoUsd })) ?? account);
  }
}
