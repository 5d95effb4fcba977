import { creditRequest, type PostedCredit } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { AllowAccounts } from '../guards/access.js';
import { CreditAccount } from './credit-account.service.js';

@Controller('internal/accounts/:id/credits')
export class CreditsController {
  constructor(private readonly creditAccount: CreditAccount) {}

  @AllowAccounts()
  @Post()
  @HttpCode(200)
  async create(@Param('id') accountId: string, @Body() body: unknown): Promise<PostedCredit> {
    const { amountNanoUsd, ...credit } = parse(creditRequest, body);
    const posted = await this.creditAccount.credit({ ...credit, accountId, amountNanoUsd: BigInt(amountNanoUsd) });
    return {
      id: posted.transactionId.toString(),
      isNew: posted.outcome === 'posted',
      reason: posted.reason,
      createdAt: posted.createdAt.toISOString(),
    };
  }
}
