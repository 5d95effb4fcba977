import type { RouteDescription } from '@gateway/api-description';
import { LEDGER_KINDS } from '@gateway/postgres';
import { z } from 'zod';
import { jsonOrCsv, pageOf, time, timeOrNull, usdText } from '../http/answers.js';
import { fromTo, isPeriod, order, PERIOD_FAULT, pageOrFile, text } from '../http/fields.js';
import { requestRecord } from '../http/request-line.js';
import { requestsQuery } from './requests-query.js';
import { usagePeriod } from './usage-period.js';

export const ledgerListing = z
  .strictObject({
    ...pageOrFile,
    kind: z.enum(LEDGER_KINDS, `must be one of ${LEDGER_KINDS.join(', ')}`).optional(),
    order,
    ...fromTo,
  })
  .refine(isPeriod, PERIOD_FAULT);

export const balanceRecord = z
  .object({
    balance_usd: usdText,
    held_usd: usdText.meta({ description: 'The holds of running requests and open tasks.' }),
    available_usd: usdText,
  })
  .meta({ id: 'Balance' });

export const ledgerRecord = z
  .object({
    id: z.string(),
    kind: z.string(),
    amount_usd: usdText,
    reference: z.string(),
    reason: z.string().nullable(),
    created_at: time,
  })
  .meta({ id: 'LedgerLine' });

const units = z.record(z.string(), z.number()).meta({ description: 'Counts by unit, such as `output_token`.' });

const receiptLine = z.object({
  unit: z.string(),
  count: z.number(),
  usd_per_million: z.string().nullable(),
  amount_usd: usdText.nullable(),
});

const posting = z.object({
  transaction_id: z.string(),
  kind: z.string(),
  ledger_account: z.string(),
  amount_usd: usdText,
  created_at: time,
});

const attempt = z.object({
  number: z.int(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  started_at: time,
  ended_at: time,
});

export const receiptRecord = z
  .object({
    request_id: z.string(),
    object: z.literal('receipt'),
    status: z.literal('settled'),
    task_id: z.string().nullable(),
    outcome: z.string(),
    reason: z.string().nullable(),
    http_status: z.int().nullable(),
    error_code: z.string().nullable(),
    idempotency_key: z.string().nullable(),
    endpoint: z.string(),
    model: z.string(),
    key_id: z.string(),
    price_version: z.string(),
    lines: z.array(receiptLine).readonly(),
    is_estimated: z.boolean(),
    abort_contract: z.string().nullable(),
    hold_usd: usdText,
    cost_usd: usdText,
    released_usd: usdText,
    beyond_hold_usd: usdText,
    admitted_at: timeOrNull,
    started_at: timeOrNull,
    first_byte_at: timeOrNull,
    settled_at: timeOrNull,
    recorded_at: timeOrNull,
    timeline: z.object({
      admitted_at: timeOrNull,
      queued_at: timeOrNull,
      claimed_at: timeOrNull,
      upstream_at: timeOrNull,
      first_byte_at: timeOrNull,
      settled_at: timeOrNull,
      recorded_at: timeOrNull,
    }),
    changes: z.object({ filled: z.record(z.string(), z.string()).readonly(), dropped: z.array(z.string()).readonly() }),
    postings: z.array(posting).readonly(),
    attempts: z.array(attempt).readonly(),
  })
  .meta({ id: 'Receipt' });

export const pendingReceiptRecord = z
  .object({
    request_id: z.string(),
    object: z.literal('receipt'),
    status: z.enum(['running', 'booking']),
    reason: z.string(),
    task_id: z.string().nullable().optional(),
    endpoint: z.string().optional(),
    model: z.string().optional(),
    key_id: z.string().optional(),
    price_version: z.string().optional(),
    hold_usd: usdText.optional(),
    admitted_at: time.optional(),
  })
  .meta({ id: 'PendingReceipt' });

/** What administrators see beside it. */
export const operatorReceipt = z.object({
  vendor_cost_usd: usdText.nullable(),
  channels: z
    .array(z.object({ channel: z.string(), upstream_id: z.string().nullable(), reported_cost_usd: usdText.nullable() }))
    .readonly(),
  fetched_results: z
    .array(
      z.object({
        file_id: z.string(),
        part: z.string(),
        status: z.string(),
        reason: z.string().nullable(),
        attempts: z.int(),
        source_url: z.string(),
        source_expires_at: time,
      }),
    )
    .readonly(),
});

const receiptAnswers = {
  200: receiptRecord,
  202: {
    description: 'The request is running, or its settlement is pending',
    content: { 'application/json': pendingReceiptRecord },
    headers: ['retry-after'] as const,
  },
};

const usageLine = z.object({
  hour: z.string().optional(),
  day: z.string().optional(),
  month: z.string().optional(),
  endpoint: z.string().optional(),
  outcome: z.string().optional(),
  member: z.string().nullable().optional(),
  model: z.string().optional(),
  key: z.string().optional(),
  key_name: z.string().nullable().optional(),
  requests: z.int(),
  cost_usd: usdText,
  units,
});

export const repricingQuery = z.strictObject({
  model: text(200),
  from: usagePeriod.shape.from,
  to: usagePeriod.shape.to,
});

export const repricedLine = z
  .object({
    model: z.string(),
    requests: z.int(),
    units,
    cost_usd: usdText,
    other_cost_usd: usdText.nullable().meta({ description: 'Null: the other model does not price `unpriced_units`.' }),
    unpriced_units: z.array(z.string()).readonly(),
  })
  .meta({ id: 'RepricedUsage' });

export const refusalRecord = z
  .object({
    request_id: z.string(),
    key_id: z.string(),
    test: z.boolean(),
    method: z.string(),
    path: z.string(),
    status: z.int(),
    code: z.string(),
    message: z.string(),
    param: z.string().nullable(),
    refused_at: time,
  })
  .meta({ id: 'RefusedRequest' });

export const STATEMENTS = {
  repriced: {
    id: 'statements.repriced',
    summary: 'Price the usage of a period on another model',
    description:
      'By model, at today’s prices of the account. The default period is the last 30 days. Surcharges of long prompts are left out.',
    query: repricingQuery,
    answers: { 200: pageOf(repricedLine).extend({ model: z.string() }) },
    examples: { on_another: { query: { model: 'gm-3.5-flash-lite' } } },
  },
  refusals: {
    id: 'statements.refusals',
    summary: 'List the latest requests that were refused',
    description: 'At most 20 of the last hour, the newest first. They cost nothing and have no receipt.',
    answers: { 200: pageOf(refusalRecord) },
    examples: { latest: {} },
  },
  balance: {
    id: 'statements.balance',
    summary: 'Read the balance',
    answers: { 200: balanceRecord },
    examples: { current: {} },
  },
  ledger: {
    id: 'statements.ledger',
    summary: 'List the changes of the balance',
    description:
      'The newest first, or the oldest with `order=oldest`. `from` and `to` are times of booking. `format=csv` without `limit` is the whole list.',
    query: ledgerListing,
    answers: { 200: jsonOrCsv(pageOf(ledgerRecord)) },
    examples: { newest: { query: { limit: '2' } } },
  },
  usage: {
    id: 'statements.usage',
    summary: 'Sum the usage of a period',
    description:
      'By hour, day or month of the account’s time zone, and up to two of key, member, model, endpoint and outcome, with commas. Each line has a field for each group.',
    query: usagePeriod,
    answers: { 200: jsonOrCsv(pageOf(usageLine)) },
    examples: { models: { query: { group_by: 'day,model' } } },
  },
  requests: {
    id: 'statements.requests',
    summary: 'List the requests that have a receipt',
    description:
      'The newest first, or the oldest with `order=oldest`. `format=csv` without `limit` is the whole list, with a column for each kind of token and the other units as JSON. A key without the scope `account:read` lists its own requests.',
    query: requestsQuery,
    answers: {
      200: jsonOrCsv(
        pageOf(requestRecord).extend({ count: z.int().optional(), is_count_exact: z.boolean().optional() }),
      ),
    },
    examples: { newest: { query: { limit: '1' } } },
  },
  receipt: {
    id: 'statements.receipt',
    summary: 'Read the receipt of a request',
    description: 'By the id of the request or of its video task. A refused request costs nothing and has none.',
    answers: receiptAnswers,
    examples: { chat: { path: { requestId: '{requestId}' } } },
  },
  receiptOfAccount: {
    id: 'accounts.receipt',
    summary: 'Read a receipt of an account',
    description: 'With the vendor’s cost, the channels of the attempts, and the vendor’s addresses of results.',
    answers: { ...receiptAnswers, 200: receiptRecord.extend(operatorReceipt.shape).meta({ id: 'OperatorReceipt' }) },
    examples: { chat: { path: { id: '{accountId}', requestId: '{requestId}' } } },
  },
} satisfies Record<string, RouteDescription>;
