import { GatewayError } from '@gateway/contracts';
import { formatUsd } from '@gateway/money';
import { type Database, reverseTransaction } from '@gateway/postgres';
import { Body, Controller, Inject, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { AllowAdmin } from '../../guards/access.js';
import { text } from '../../http/fields.js';
import { parse } from '../../http/parse.js';
import { DATABASE } from '../../tokens.js';
import { ReserveMirror } from './reserve-mirror.service.js';

const reversal = z.strictObject({
  /** The kind and the reference of the ledger line to reverse. */
  kind: z.enum(['settlement', 'credit']),
  reference: text(200).min(1),
  reason: text(500).trim().min(1),
});

/** The ledger is append-only: a second transaction reverses a wrong one. The same request twice is one reversal. */
@Controller('admin/accounts/:id/reversals')
export class ReversalsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly reserveMirror: ReserveMirror,
  ) {}

  @AllowAdmin()
  @Post()
  async create(@Param('id') accountId: string, @Body() body: unknown, @Res({ passthrough: true }) reply: FastifyReply) {
    const { kind, reference, reason } = parse(reversal, body);
    const reversed = await reverseTransaction(this.database, accountId, `${kind}:${reference}`, reason);
    if (reversed === null) {
      const message = `reference: must be a ${kind} in the ledger of this account`;
      throw new GatewayError('not_found', message, { param: 'reference' });
    }
    await this.reserveMirror.refresh(accountId);
    reply.status(reversed.outcome === 'posted' ? 201 : 200);
    return {
      id: reversed.transactionId.toString(),
      account_id: accountId,
      kind: 'adjustment',
      reverses: { kind, reference },
      amount_usd: formatUsd(reversed.amountNanoUsd),
      created_at: reversed.createdAt.toISOString(),
    };
  }
}
