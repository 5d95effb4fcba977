import { formatUsd } from '@gateway/money';
import type { LedgerLine } from '@gateway/postgres';
import { csvRows } from '../http/csv.js';
import type { MonthlyStatement } from './find-statement.service.js';
import { proofOf } from './statement-view.js';

const COLUMNS = ['id', 'kind', 'amount_usd', 'balance_usd', 'reference', 'reason', 'created_at'];

/**
 * A row for each line of the ledger, with the balance after it, between the opening and the closing balance. The last row
 * compares the sum of the rows with the ledger.
 */
export async function* statementCsv(
  statement: MonthlyStatement,
  pages: AsyncIterable<readonly LedgerLine[]>,
): AsyncGenerator<string> {
  let balance = statement.openingNanoUsd;
  const total = (kind: string, at: Date) => ['', kind, '', formatUsd(balance), '', '', at.toISOString()];
  yield csvRows([COLUMNS, total('opening_balance', statement.from)]);
  for await (const lines of pages) {
    yield csvRows(
      lines.map((line) => {
        balance += line.amountNanoUsd;
        const reference = line.reference.slice(line.reference.indexOf(':') + 1);
        const amounts = [formatUsd(line.amountNanoUsd), formatUsd(balance)];
        return [String(line.id), line.kind, ...amounts, reference, line.reason ?? '', line.createdAt.toISOString()];
      }),
    );
  }
  const differenceNanoUsd = statement.differenceNanoUsd + statement.closingNanoUsd - balance;
  const proof = ['', 'ledger_difference', formatUsd(differenceNanoUsd), '', '', proofOf({ differenceNanoUsd }), ''];
  yield csvRows([total('closing_balance', statement.to), proof]);
}
