import { Describe } from '@gateway/api-description';
import { parse } from '@gateway/json-service';
import { formatUsd } from '@gateway/money';
import { type AccountRecord, changeAccount, type Database, listKeyHashes, readCappedPeriods } from '@gateway/postgres';
import { KeyCacheInvalidator } from '@gateway/redis';
import { Body, Controller, Get, Inject, Patch } from '@nestjs/common';
import type { z } from 'zod';
import { AllowActiveSession, AllowSession } from '../guards/access.js';
import { CallerAccount } from '../guards/caller.js';
import { capViews } from '../http/caps.js';
import { DATABASE } from '../tokens.js';
import { ACCOUNTS, settingsChange, settingsRecord } from './accounts.description.js';

/** The settings of an organisation that its owner changes. */
@Controller('account/settings')
export class AccountSettingsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly keyCacheInvalidator: KeyCacheInvalidator,
  ) {}

  @Describe(ACCOUNTS.settings)
  @AllowSession('viewer')
  @Get()
  show(@CallerAccount() account: AccountRecord) {
    return this.#view(account);
  }

  /** The edges see new caps and a new calendar at once. */
  @Describe(ACCOUNTS.changeSettings)
  @AllowActiveSession('owner')
  @Patch()
  async change(@CallerAccount() account: AccountRecord, @Body() body: unknown) {
    const given = parse(settingsChange, body);
    if (Object.keys(given).length === 0) return this.#view(account);
    const changed = await changeAccount(this.database, account.id, {
      ...(given.name !== undefined && { name: given.name }),
      ...(given.email !== undefined && { email: given.email }),
      ...(given.low_balance_usd !== undefined && { lowBalanceNanoUsd: given.low_balance_usd }),
      ...(given.time_zone !== undefined && { timeZone: given.time_zone }),
      ...(given.caps !== undefined && { caps: given.caps }),
    });
    if (given.caps !== undefined || given.time_zone !== undefined) {
      await this.keyCacheInvalidator.invalidate(await listKeyHashes(this.database, { accountId: account.id }));
    }
    return this.#view(changed ?? account);
  }

  async #view(account: AccountRecord): Promise<z.output<typeof settingsRecord>> {
    const { id, name, email, lowBalanceNanoUsd, timeZone } = account;
    const capped = await readCappedPeriods(this.database, id);
    return {
      name,
      email,
      low_balance_usd: lowBalanceNanoUsd === null ? null : formatUsd(lowBalanceNanoUsd),
      time_zone: timeZone,
      caps: capViews(capped.get(id)),
    };
  }
}
