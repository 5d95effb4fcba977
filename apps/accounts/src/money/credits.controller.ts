import { Describe } from '@gateway/api-description';
import { parse } from '@gateway/json-service';
import { formatUsd } from '@gateway/money';
import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { AllowAdmin } from '../guards/access.js';
import { AskBilling } from '../http/ask-billing.service.js';
import { creditRecord, MONEY, newCredit } from './money.description.js';

@Controller('admin/accounts/:id/credits')
export class CreditsController {
  constructor(private readonly billing: AskBilling) {}

  @Describe(MONEY.credit)
  @AllowAdmin()
  @Post()
  async create(
    @Param('id') accountId: string,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.output<typeof creditRecord>> {
    const { amount_usd, reason, reference, kind } = parse(newCredit, body);
    const amountNanoUsd = amount_usd.toString();
    const { isNew, ...posted } = await this.billing.credit(accountId, { amountNanoUsd, kind, reason, reference });
    reply.status(isNew ? 201 : 200);
    return {
      id: posted.id,
      account_id: accountId,
      kind,
      amount_usd: formatUsd(amount_usd),
      reason: posted.reason,
      reference,
      created_at: posted.createdAt,
    };
  }
}
