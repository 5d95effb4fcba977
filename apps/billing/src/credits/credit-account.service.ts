import { GatewayError } from '@gateway/contracts';
import { type CreditOutcome, type Database, type NewCredit, postCredit } from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { ReserveMirror } from '../reserve-mirror.service.js';
import { DATABASE } from '../tokens.js';

export type PostedCredit = Extract<CreditOutcome, { outcome: 'posted' | 'repeated' }>;

/** Credits an account. The same reference twice is one credit. */
@Injectable()
export class CreditAccount {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly reserveMirror: ReserveMirror,
  ) {}

  async credit(credit: NewCredit): Promise<PostedCredit> {
    const posted = await postCredit(this.database, credit);
    if (posted.outcome === 'unknown_account') throw new GatewayError('not_found', 'There is no such account.');
    if (posted.outcome === 'conflict') {
      const message = 'reference: must be new, because another account, amount or kind uses it';
      throw new GatewayError('idempotency_conflict', message, { param: 'reference' });
    }
    await this.reserveMirror.refresh(credit.accountId);
    return posted;
  }
}
