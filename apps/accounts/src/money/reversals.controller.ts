import { parse } from '@gateway/json-service';
import { formatUsd } from '@gateway/money';
import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { AllowAdmin } from '../guards/access.js';
import { text } from '../http/fields.js';
import { AskBilling } from './ask-billing.service.js';

const reversal = z.strictObject({
  /** The kind and the reference of the ledger line to reverse. */
  kind: z.enum(['settlement', 'credit']),
  reference: text(200).min(1),
  reason: text(500).trim().min(1),
});

/** Reverses a wrong line of the ledger with a second one. The same request twice is one reversal. */
@Controller('admin/accounts/:id/reversals')
export class ReversalsController {
  constructor(private readonly billing: AskBilling) {}

  @AllowAdmin()
  @Post()
  async create(@Param('id') accountId: string, @Body() body: unknown, @Res({ passthrough: true }) reply: FastifyReply) {
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
