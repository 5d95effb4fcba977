import type { RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { pageOf, time, usdText } from '../http/answers.js';
import { month } from './month.js';

const FORMATS = ['json', 'csv', 'pdf'] as const;

export const statementQuery = z.strictObject({
  format: z.enum(FORMATS, `must be one of ${FORMATS.join(', ')}`).default('json'),
});

export const statementPath = z.strictObject({ month });

const modelCharges = z.object({ model: z.string(), requests: z.int(), cost_usd: usdText });

export const statementRecord = z
  .object({
    object: z.literal('statement'),
    month: z.string(),
    time_zone: z.string(),
    from: time,
    to: time.meta({ description: 'The end of the month, or a minute ago.' }),
    is_final: z.boolean(),
    opening_balance_usd: usdText,
    top_ups_usd: usdText,
    adjustments_usd: usdText,
    charges_usd: usdText,
    closing_balance_usd: usdText,
    models: z.array(modelCharges).readonly(),
    ledger: z.object({ difference_usd: usdText, statement: z.string() }),
  })
  .meta({ id: 'Statement' });

const monthRecord = z.object({ month: z.string(), lines: z.int(), change_usd: usdText });

export const MONTHLY_STATEMENTS = {
  list: {
    id: 'statements.months',
    summary: 'List the months with changes of the balance',
    description: 'The newest first, in the time zone of the account.',
    answers: { 200: pageOf(monthRecord) },
    examples: { all: {} },
  },
  show: {
    id: 'statements.month',
    summary: 'Read the statement of a month',
    description:
      'Each form says how the statement compares with the ledger. The CSV has every line with the balance after it.',
    query: statementQuery,
    path: statementPath,
    answers: {
      200: {
        description: 'Done',
        content: {
          'application/json': statementRecord,
          'text/csv': z.string(),
          'application/pdf': z.string().meta({ format: 'binary' }),
        },
        headers: ['content-disposition'],
      },
    },
    examples: { month: { path: { month: '2026-11' } } },
  },
} satisfies Record<string, RouteDescription>;
