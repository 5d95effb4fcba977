import { Describe } from '@gateway/api-description';
import { formatUsd } from '@gateway/money';
import type { AccountRecord } from '@gateway/postgres';
import { Controller, Get } from '@nestjs/common';
import type { z } from 'zod';
import { BalanceReader } from '../balance-reader.service.js';
import { AllowSessionOrKey } from '../guards/access.js';
import { CallerAccount } from '../guards/caller.js';
import { balanceRecord, STATEMENTS } from './statements.description.js';

@Controller('account/balance')
export class BalanceController {
  constructor(private readonly balanceReader: BalanceReader) {}

  @Describe(STATEMENTS.balance)
  @AllowSessionOrKey('viewer')
  @Get()
  async show(@CallerAccount() account: AccountRecord): Promise<z.output<typeof balanceRecord>> {
    const balance = await this.balanceReader.read(account.id);
    return {
      balance_usd: formatUsd(balance.balanceNanoUsd),
      held_usd: formatUsd(balance.heldNanoUsd),
      available_usd: formatUsd(balance.availableNanoUsd),
    };
  }
}
