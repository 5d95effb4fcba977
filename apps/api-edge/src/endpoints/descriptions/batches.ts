import type { RouteDescription } from '@gateway/api-description';
import {
  batchCreation,
  batchListQuery,
  batchQuoteRequest,
  maxCostUsd,
  messageBatchListQuery,
  messageBatchRequest,
} from '@gateway/contracts';
import { z } from 'zod';

const cost = z.object({ charged_usd: z.string(), max_cost_usd: z.string().nullable() });
const waitsFor = z.string().nullable().meta({ description: 'What the next line waits for, such as `credit`.' });
const unixTime = z.int().nullable();
const isoTime = z.iso.datetime().nullable();

const batchErrorRecord = z.object({
  code: z.string(),
  message: z.string(),
  param: z.string().nullable(),
  line: z.int().nullable(),
});

const batchRecord = z
  .object({
    id: z.string(),
    object: z.literal('batch'),
    endpoint: z.string(),
    errors: z
      .object({
        object: z.literal('list'),
        data: z.array(batchErrorRecord),
      })
      .nullable(),
    input_file_id: z.string().nullable(),
    completion_window: z.literal('24h'),
    status: z.enum([
      'validating',
      'failed',
      'in_progress',
      'finalizing',
      'completed',
      'expired',
      'cancelling',
      'cancelled',
    ]),
    output_file_id: z.string().nullable(),
    error_file_id: z.string().nullable(),
    created_at: unixTime,
    in_progress_at: unixTime,
    expires_at: unixTime,
    finalizing_at: unixTime,
    completed_at: unixTime,
    failed_at: unixTime,
    expired_at: unixTime,
    cancelling_at: unixTime,
    cancelled_at: unixTime,
    request_counts: z.object({ total: z.int(), completed: z.int(), failed: z.int() }),
    metadata: z.record(z.string(), z.string()),
    cost,
    waits_for: waitsFor,
  })
  .meta({ id: 'Batch' });

const usd = (description: string) => z.string().meta({ description });
const likelyUsd = usd('What they probably cost, in USD: the outputs of typical requests.');
const mostUsd = usd('The most that they can cost, in USD: what would be held for them.');

const batchQuote = z
  .object({
    object: z.literal('batch.quote'),
    input_file_id: z.string(),
    endpoint: z.string(),
    valid: z
      .boolean()
      .meta({ description: 'False: the batch would be refused as a whole, for the first of `errors`.' }),
    request_counts: z
      .object({
        total: z.int().meta({ description: 'Lines of the file that were read.' }),
        valid: z.int().meta({ description: 'Lines that would run.' }),
        wrong: z.int().meta({ description: 'Lines that would fail alone, for free.' }),
      })
      .meta({ description: 'How many lines there are.' }),
    likely_usd: likelyUsd,
    most_usd: mostUsd,
    models: z
      .array(
        z.object({
          model: z.string(),
          lines: z.int().meta({ description: 'Lines for this model.' }),
          likely_usd: likelyUsd,
          most_usd: mostUsd,
        }),
      )
      .meta({ description: 'The same for each model.' }),
    errors: z
      .object({ object: z.literal('list'), data: z.array(batchErrorRecord) })
      .meta({ description: 'What is wrong: at most twenty errors of the batch, then at most twenty of lines.' }),
  })
  .meta({ id: 'BatchQuote' });

const messageBatch = z
  .object({
    id: z.string(),
    type: z.literal('message_batch'),
    processing_status: z.enum(['in_progress', 'canceling', 'ended']),
    request_counts: z.object({
      processing: z.int(),
      succeeded: z.int(),
      errored: z.int(),
      canceled: z.int(),
      expired: z.int(),
    }),
    created_at: isoTime,
    ended_at: isoTime,
    expires_at: isoTime,
    archived_at: isoTime,
    cancel_initiated_at: isoTime,
    results_url: z.string().nullable(),
    cost,
    waits_for: waitsFor,
  })
  .meta({ id: 'MessageBatch' });

const page = { first_id: z.string().nullable(), last_id: z.string().nullable(), has_more: z.boolean() };

/** Google's clients get their own style of errors. */
const REFUSES_GOOGLE_FORM = { dialects: ['a', 'google'] } as const;

export const BATCHES = {
  create: {
    id: 'batches.create',
    summary: 'Run the lines of a file as requests',
    description: 'Each line is a request of this key, with a receipt of its own. A wrong line fails alone.',
    headers: ['Idempotency-Key'],
    body: batchCreation,
    answers: { 200: batchRecord },
    errors: ['permission_denied', 'store_full', 'idempotency_conflict'],
    examples: {
      chat: {
        body: { input_file_id: '{fileId}', endpoint: '/v1/chat/completions', completion_window: '24h' },
      },
    },
  },
  quote: {
    id: 'batches.quote',
    summary: 'Quote all lines of a file',
    description: 'Prices each line by the rules of admission. Nothing runs, and nothing is held. One file at a time.',
    body: batchQuoteRequest,
    answers: { 200: batchQuote },
    errors: ['permission_denied', 'rate_limit_exceeded'],
    examples: { file: { body: { input_file_id: '{fileId}', endpoint: '/v1/chat/completions' } } },
  },
  list: {
    id: 'batches.list',
    ...REFUSES_GOOGLE_FORM,
    summary: 'List batches, the newest first',
    query: batchListQuery,
    answers: { 200: z.object({ object: z.literal('list'), data: z.array(batchRecord), ...page }) },
    examples: { newest: { query: { limit: '1' } } },
  },
  get: {
    id: 'batches.get',
    ...REFUSES_GOOGLE_FORM,
    summary: 'Read a batch',
    answers: { 200: batchRecord },
    examples: { one: { path: { id: '{batchId}' } } },
  },
  cancel: {
    id: 'batches.cancel',
    summary: 'Cancel a batch',
    description: 'Lines that run complete. A batch that has ended stays as it is.',
    answers: { 200: batchRecord },
    examples: { ended: { path: { id: '{batchId}' } } },
  },
} as const satisfies Record<string, RouteDescription>;

const anthropic = { dialects: ['anthropic'] } as const;

export const MESSAGE_BATCHES = {
  create: {
    ...anthropic,
    id: 'messageBatches.create',
    summary: 'Run many messages requests',
    headers: ['Idempotency-Key'],
    body: z.object({ requests: z.array(messageBatchRequest).min(1), max_cost_usd: maxCostUsd }),
    answers: { 200: messageBatch },
    errors: ['permission_denied', 'store_full', 'request_too_large', 'insufficient_balance', 'idempotency_conflict'],
    examples: {
      one: {
        body: {
          requests: [
            {
              custom_id: 'first',
              params: { model: 'cl-sonnet-4-6', max_tokens: 100, messages: [{ role: 'user', content: 'Say hello' }] },
            },
          ],
        },
      },
    },
  },
  list: {
    ...anthropic,
    id: 'messageBatches.list',
    summary: 'List batches of messages, the newest first',
    query: messageBatchListQuery,
    answers: { 200: z.object({ data: z.array(messageBatch), ...page }) },
    examples: { newest: { query: { limit: '1' } } },
  },
  get: {
    ...anthropic,
    id: 'messageBatches.get',
    summary: 'Read a batch of messages',
    answers: { 200: messageBatch },
    examples: { one: { path: { id: '{messageBatchId}' } } },
  },
  cancel: {
    ...anthropic,
    id: 'messageBatches.cancel',
    summary: 'Cancel a batch of messages',
    description: 'Requests that run complete. A batch that has ended stays as it is.',
    answers: { 200: messageBatch },
    examples: { ended: { path: { id: '{messageBatchId}' } } },
  },
  remove: {
    ...anthropic,
    id: 'messageBatches.delete',
    summary: 'Delete an ended batch of messages',
    answers: { 200: z.object({ id: z.string(), type: z.literal('message_batch_deleted') }) },
    examples: { one: { path: { id: '{messageBatchId}' } } },
  },
  results: {
    ...anthropic,
    id: 'messageBatches.results',
    summary: 'Read the results of a batch of messages',
    description: 'One line of JSON for each request, in the order in which they ended.',
    answers: {
      200: { description: 'Lines of JSON', content: { 'application/x-jsonl': z.string() } },
    },
    errors: ['request_in_progress'],
    examples: { one: { path: { id: '{messageBatchId}' } } },
  },
} as const satisfies Record<string, RouteDescription>;
