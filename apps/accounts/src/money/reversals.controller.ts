import { Describe } from '@gateway/api-description';
import { parse } from '@gateway/json-service';
import { formatUsd } from '@gateway/money';
import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { AllowAdmin } from '../guards/access.js';
import { AskBilling } from '../http/ask-billing.service.js';
import { MONEY, reversal, reversalRecord } from './money.description.js';

/** Reverses a wrong line of the ledger with a second one. The same request twice is one reversal. */
@Controller('admin/accounts/:id/reversals')
export class ReversalsController {
  constructor(private readonly billing: AskBilling) {}

  @Describe(MONEY.reverse)
  @AllowAdmin()
  @Post()
  async create(
    @Param('id') accountId: string,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.output<typeof reversalRecord>> {
    const given = parse(reversal, body);
    const { isNew, ...posted } = await this.billing.reverse(accountId, given);
    reply.status(isNew ? 201 : 200);
    return {
      id: posted.id,
      account_id: accountId,
      kind: 'adjustment',
      reverses: { kind: given.kind, reference: given.reference },
      amount_usd: formatUsd(BigInt(posted.amountNanoUsd)),
      created_at: posted.createdAt,
    };
  }
}
