import { GatewayError } from '@gateway/contracts';
import { type CreditOutcome, type Database, type NewCredit, postCredit, readPosition } from '@gateway/postgres';
import type { AdmissionStore } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { ADMISSION_STORE, DATABASE } from '../billing-doors.js';
import { LOGGER, type Logger } from '../observability-door.js';

export type PostedCredit = Extract<CreditOutcome, { outcome: 'posted' | 'repeated' }>;

/** Puts money on an account: the same reference twice is one credit. */
@Injectable()
export class CreditAccount {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ADMISSION_STORE) private readonly store: AdmissionStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async credit(credit: NewCredit): Promise<PostedCredit> {
    const posted = await postCredit(this.database, credit);
    if (posted.outcome === 'unknown_account') throw new GatewayError('not_found', 'There is no such account.');
    if (posted.outcome === 'conflict') {
      const message = 'reference: it was used for another account, amount or kind';
      throw new GatewayError('idempotency_conflict', message, { param: 'reference' });
    }
    await this.#showInRedis(credit.accountId);
    return posted;
  }

  /** Only the balance that customers are shown comes from there, and the next grant corrects it. */
  async #showInRedis(accountId: string): Promise<void> {
    try {
      const epoch = await this.store.currentEpoch();
      const position = await readPosition(this.database, accountId);
      if (epoch === null || position === null) return;
      const { customerNanoUsd, customerVersion } = position;
      await this.store.setReserve({
        accountId,
        epoch,
        reserveVersion: customerVersion,
        reserveNanoUsd: customerNanoUsd,
      });
    } catch (error) {
      this.logger.warn({ err: error, accountId }, 'a credit is not shown in Redis yet');
    }
  }
}
