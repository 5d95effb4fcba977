import { z } from 'zod';
import { ENDPOINTS, type Endpoint } from './endpoints.js';
import { pageLimit } from './query-number.js';
import { hasNoNul, storedMetadata, storedText } from './stored-text.js';

/** The endpoints whose requests a batch may have: JSON in, JSON out. */
export const BATCH_ENDPOINTS = [
  'chat.completions',
  'responses',
  'completions',
  'messages',
  'embeddings',
  'rerank',
  'images.generations',
] as const satisfies readonly Endpoint[];

const BATCH_PATHS = BATCH_ENDPOINTS.map((name) => ENDPOINTS[name].path);

/** The endpoint of a batch by its path. */
export const batchEndpointOf = (path: string): (typeof BATCH_ENDPOINTS)[number] | undefined =>
  BATCH_ENDPOINTS.find((name) => ENDPOINTS[name].path === path);

/** The path as it is published: batches of Azure's clients, and their lines, name it without `/v1`. */
export const publishedBatchPath = (path: unknown): unknown =>
  typeof path === 'string' && batchEndpointOf(`/v1${path}`) !== undefined ? `/v1${path}` : path;

/** What the column holds in nano-dollars. */
const MOST_USD = 999_999_999;
/** One nano-dollar. */
const LEAST_USD = 1e-9;

/** Decimal USD, above zero. */
export const maxCostUsd = z
  .union([
    z
      .string()
      .regex(/^\d{1,9}(\.\d{1,9})?$/, 'expected decimal USD such as "2.50"')
      .refine((usd) => Number(usd) > 0, 'expected more than 0'),
    // A number beyond the column was never served, so to refuse it breaks no client.
    z
      .number()
      .positive()
      .refine((usd) => usd >= LEAST_USD && usd <= MOST_USD, 'expected 0.000000001 to 999999999'),
  ])
  .optional()
  .meta({ description: 'The most that the batch may cost, in USD. A line that does not fit is not begun.' });

const MIN_OUTPUT_SECONDS = 3_600;
const MAX_OUTPUT_SECONDS = 2_592_000;

/** Body of `POST /v1/batches`. https://platform.openai.com/docs/api-reference/batch/create */
export const batchCreation = z.strictObject({
  input_file_id: storedText(100),
  endpoint: z.enum(BATCH_PATHS),
  completion_window: z.literal('24h'),
  metadata: storedMetadata.nullish(),
  output_expires_after: z
    .strictObject({
      anchor: z.literal('created_at'),
      seconds: z.int().min(MIN_OUTPUT_SECONDS).max(MAX_OUTPUT_SECONDS),
    })
    .optional(),
  max_cost_usd: maxCostUsd,
});

const batchId = z.string().max(100).refine(hasNoNul, 'expected the id of a batch, without the character NUL');

/** Body of `POST /v1/batches/quote`: that of the creation. Its other fields do not change the quote. */
export const batchQuoteRequest = batchCreation.partial({ completion_window: true });

const limitUpTo = (most: number) => pageLimit({ most, usual: 20 });

export const batchListQuery = z.object({ limit: limitUpTo(100), after: batchId.optional() });

/** https://docs.anthropic.com/en/api/listing-message-batches */
export const messageBatchListQuery = z.object({
  limit: limitUpTo(1_000),
  before_id: batchId.optional(),
  after_id: batchId.optional(),
});

/** One request of `POST /v1/messages/batches`. Its `params` are checked when it runs. */
export const messageBatchRequest = z.object({
  custom_id: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'expected 1 to 64 letters, digits, hyphens or underscores'),
  params: z.looseObject({
    stream: z.literal(false, { error: 'a batch has no streams: leave it out' }).optional(),
  }),
});
