import type { RouteDescription } from '@gateway/api-description';
import { ABORT_CONTRACTS, ENDPOINTS, type Endpoint, UNITS } from '@gateway/contracts';
import { z } from 'zod';
import { usdText } from '../http/answers.js';

const NAMES = Object.keys(ENDPOINTS) as [Endpoint, ...Endpoint[]];

/** An endpoint by its name, such as `chat.completions`, or by its path. */
const endpoint = z
  .string()
  .transform((given) => NAMES.find((name) => name === given || ENDPOINTS[name].path === given) ?? given)
  .pipe(z.enum(NAMES, { error: `must be one of ${NAMES.join(', ')}, or its path` }));

export const quoteRequest = z.strictObject({
  endpoint,
  body: z.record(z.string(), z.unknown(), 'must be the body of a request'),
  /** The units that the request used, in place of an estimate. They price a request of the past. */
  units: z.partialRecord(z.enum(UNITS), z.int().min(0)).optional(),
});

const units = z.record(z.string(), z.number());

const quoteRecord = z
  .object({
    object: z.literal('quote'),
    valid: z.literal(true),
    endpoint: z.string(),
    model: z.string(),
    price_version: z.string(),
    abort_contract: z
      .enum(ABORT_CONTRACTS)
      .meta({ description: 'When the client leaves: `stops` charges what was made, `completes` the whole answer.' }),
    units,
    unit_prices: z.record(z.string(), z.string()),
    estimate_usd: usdText,
    hold_units: units,
    hold_usd: usdText,
    hold_least_usd: usdText,
    hold_most_usd: usdText,
    output_cap: z.number().nullable(),
    available_usd: usdText,
    key_room_usd: usdText.nullable(),
    balance_after_usd: usdText,
    is_affordable: z.boolean(),
  })
  .meta({ id: 'Quote' });

const refusedQuote = z
  .object({
    object: z.literal('quote'),
    valid: z.literal(false),
    endpoint: z.string(),
    errors: z
      .array(z.object({ status: z.int(), code: z.string(), message: z.string(), param: z.string().nullable() }))
      .readonly(),
  })
  .meta({ id: 'RefusedQuote', description: 'The request would be refused: the errors of admission.' });

export const QUOTES = {
  create: {
    id: 'quotes.create',
    summary: 'Quote a request',
    description: 'Prices a request with the engine that bills. It sends nothing to a vendor and holds no money.',
    body: quoteRequest,
    answers: { 200: z.union([quoteRecord, refusedQuote]) },
    examples: {
      chat: {
        body: {
          endpoint: 'chat.completions',
          body: { model: 'gm-3.5-flash-lite', messages: [{ role: 'user', content: 'Say hello' }], max_tokens: 100 },
        },
      },
    },
  },
} satisfies Record<string, RouteDescription>;
