import type { Logger } from '@gateway/observability';
import { type Database, readLedgerBalances } from '@gateway/postgres';
import { type AdmissionStore, mirrorReserve } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { ADMISSION_STORE, DATABASE, LOGGER } from './tokens.js';

/** Copies a customer's free balance to Redis. Responses to customers show this copy; the next grant corrects it. */
@Injectable()
export class ReserveMirror {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async refresh(accountId: string): Promise<void> {
    try {
      await mirrorReserve(this.store, accountId, () => readLedgerBalances(this.database, accountId));
    } catch (error) {
      this.logger.warn({ err: error, accountId }, 'reserve mirroring failed');
    }
  }
}
