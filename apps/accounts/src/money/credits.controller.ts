import { parse } from '@gateway/json-service';
import { formatUsd } from '@gateway/money';
import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { AllowAdmin } from '../guards/access.js';
import { text, usd } from '../http/fields.js';
import { AskBilling } from './ask-billing.service.js';

const newCredit = z
  .strictObject({
    amount_usd: usd,
    reason: text(500).trim().min(1),
    reference: text(200).regex(/\S/, 'must contain more than spaces'),
    kind: z.enum(['top_up', 'adjustment']).default('top_up'),
  })
  .refine(({ amount_usd, kind }) => amount_usd > 0n || (kind === 'adjustment' && amount_usd < 0n), {
    path: ['amount_usd'],
    message: 'must be above zero; only an adjustment may be negative',
  });

@Controller('admin/accounts/:id/credits')
export class CreditsController {
  constructor(private readonly billing: AskBilling) {}

  @AllowAdmin()
  @Post()
  async create(@Param('id') accountId: string, @Body() body: unknown, @Res({ passthrough: true }) reply: FastifyReply) {
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
