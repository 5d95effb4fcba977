import { GatewayError, type PostedReversal, reversalRequest } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import { type Database, reverseTransaction } from '@gateway/postgres';
import { Body, Controller, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { AllowAccounts } from '../guards/access.js';
import { ReserveMirror } from '../reserve-mirror.service.js';
import { DATABASE } from '../tokens.js';

/** The ledger is append-only: a second transaction reverses a wrong one. The same request twice is one reversal. */
@Controller('internal/accounts/:id/reversals')
export class ReversalsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly reserveMirror: ReserveMirror,
  ) {}

  @AllowAccounts()
  @Post()
  @HttpCode(200)
  async create(@Param('id') accountId: string, @Body() body: unknown): Promise<PostedReversal> {
    const { kind, reference, reason } = parse(reversalRequest, body);
    const reversed = await reverseTransaction(this.database, accountId, `${kind}:${reference}`, reason);
    if (reversed === null) {
      const message = `reference: must be a ${kind} in the ledger of this account`;
      throw new GatewayError('not_found', message, { param: 'reference' });
    }
    await this.reserveMirror.refresh(accountId);
    return {
      id: reversed.transactionId.toString(),
      isNew: reversed.outcome === 'posted',
      amountNanoUsd: reversed.amountNanoUsd.toString(),
      createdAt: reversed.createdAt.toISOString(),
    };
  }
}
