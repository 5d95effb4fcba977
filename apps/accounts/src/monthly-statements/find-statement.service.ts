import { GatewayError } from '@gateway/contracts';
import {
  type AccountRecord,
  type Database,
  type LedgerLine,
  type ModelCharges,
  type StatementTotals,
  statementCharges,
  statementLines,
  statementTotals,
} from '@gateway/postgres';
import { Inject, Injectable } from '@nestjs/common';
import { DATABASE } from '../tokens.js';

const PAGE = 1_000;

/** One month of an account's ledger. */
export interface MonthlyStatement extends StatementTotals {
  readonly account: Pick<AccountRecord, 'id' | 'name' | 'email' | 'timeZone'>;
  readonly month: string;
  readonly models: readonly ModelCharges[];
}

const isArchived = (month: string, until: Date): GatewayError =>
  new GatewayError(
    'not_found',
    `The statement of ${month} is archived, as is the ledger before ${until.toISOString()}.`,
    {
      param: 'month',
    },
  );

/** Reads the statements of accounts from the ledger. */
@Injectable()
export class FindStatement {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Throws 404 for a month whose ledger is archived. */
  async find(account: AccountRecord, month: string): Promise<MonthlyStatement> {
    const { id: accountId, name, email, timeZone } = account;
    const totals = await statementTotals(this.database, { accountId, month, timeZone });
    if (totals.archivedUntil !== null) throw isArchived(month, totals.archivedUntil);
    const models = await statementCharges(this.database, { accountId, ...totals });
    const charged = models.reduce((sum, { costNanoUsd }) => sum - costNanoUsd, 0n);
    // Charges of models that do not add up to the ledger's are a difference too.
    const differenceNanoUsd = totals.differenceNanoUsd + totals.chargesNanoUsd - charged;
    return { ...totals, differenceNanoUsd, account: { id: accountId, name, email, timeZone }, month, models };
  }

  /** Every line of the statement, the oldest first, in pages. */
  async *lines({ account, from, to }: MonthlyStatement): AsyncGenerator<readonly LedgerLine[]> {
    for (let afterId = 0n; ; ) {
      const period = { accountId: account.id, from, to };
      const lines = await statementLines(this.database, period, { afterId, limit: PAGE });
      if (lines.length > 0) yield lines;
      const last = lines.at(-1);
      if (last === undefined || lines.length < PAGE) return;
      afterId = last.id;
    }
  }
}
