import { GatewayError, type PostedReversal, reversalRequest } from '@gateway/contracts';
import { parse } from '@gateway/json-service';
import type { Logger } from '@gateway/observability';
import { type Database, readSpendingOfRequest, reverseTransaction } from '@gateway/postgres';
import type { AdmissionStore } from '@gateway/redis';
import { Body, Controller, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { AllowAccounts } from '../guards/access.js';
import { ReserveMirror } from '../reserve-mirror.service.js';
import { ADMISSION_STORE, DATABASE, LOGGER } from '../tokens.js';

/** The ledger is append-only: a second transaction reverses a wrong one. The same request twice is one reversal. */
@Controller('internal/accounts/:id/reversals')
export class ReversalsController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly store: Pick<AdmissionStore, 'setSpending'>,
    private readonly reserveMirror: ReserveMirror,
    @Inject(LOGGER) private readonly logger: Logger,
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
    if (kind === 'settlement') await this.#refreshSpending(accountId, reference);
    return {
      id: reversed.transactionId.toString(),
      isNew: reversed.outcome === 'posted',
      amountNanoUsd: reversed.amountNanoUsd.toString(),
      createdAt: reversed.createdAt.toISOString(),
    };
  }

  /** A key that its cap had stopped works again at once. */
  async #refreshSpending(accountId: string, requestId: string): Promise<void> {
    try {
      const spending = await readSpendingOfRequest(this.database, requestId);
      if (spending !== null) await this.store.setSpending(accountId, spending);
    } catch (error) {
      // The next receipt of the key corrects it.
      this.logger.warn({ err: error, requestId }, 'spending of a key not refreshed');
    }
  }
}
