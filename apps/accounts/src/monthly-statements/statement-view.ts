import { formatUsd } from '@gateway/money';
import type { z } from 'zod';
import type { MonthlyStatement } from './find-statement.service.js';
import type { statementRecord } from './statements.description.js';

/** Says whether the statement is equal to the ledger, and by how much it is not. */
export const proofOf = ({ differenceNanoUsd }: Pick<MonthlyStatement, 'differenceNanoUsd'>): string =>
  differenceNanoUsd === 0n
    ? 'Equal to the ledger: the difference is 0.000000000 USD.'
    : `Not equal to the ledger: the difference is ${formatUsd(differenceNanoUsd)} USD. Please report it.`;

/** Amounts in USD. `opening + top-ups + adjustments + charges = closing`. */
export const statementView = (statement: MonthlyStatement): z.output<typeof statementRecord> => ({
  object: 'statement',
  month: statement.month,
  time_zone: statement.account.timeZone,
  from: statement.from.toISOString(),
  to: statement.to.toISOString(),
  is_final: statement.isFinal,
  opening_balance_usd: formatUsd(statement.openingNanoUsd),
  top_ups_usd: formatUsd(statement.topUpsNanoUsd),
  adjustments_usd: formatUsd(statement.adjustmentsNanoUsd),
  charges_usd: formatUsd(statement.chargesNanoUsd),
  closing_balance_usd: formatUsd(statement.closingNanoUsd),
  models: statement.models.map(({ model, requests, costNanoUsd }) => ({
    model,
    requests: Number(requests),
    cost_usd: formatUsd(costNanoUsd),
  })),
  ledger: { difference_usd: formatUsd(statement.differenceNanoUsd), statement: proofOf(statement) },
});
