import type { InvoiceUsage } from '../simulator/simulator-client.js';
import { nanoOf } from './decimal-nano.js';

/** The fields that the oracle reads of an entry of `GET /v1/models`. */
export interface PricedModel {
  readonly id: string;
  readonly pricing: {
    readonly per_million: Readonly<Record<string, string>>;
    readonly long_prompt?: {
      readonly above_input_tokens: number;
      readonly per_million: Readonly<Record<string, string>>;
    };
  };
}

const UNIT_OF = {
  input_tokens: 'input_token',
  cached_input_tokens: 'cached_input_token',
  cache_write_tokens: 'cache_write_token',
  output_tokens: 'output_token',
} as const satisfies Record<Exclude<keyof InvoiceUsage, 'units'>, string>;

const MILLION = 1_000_000n;

/**
 * What a call must cost in nano-USD: the upstream's invoice at the published price, rounded up once. Throws if the
 * upstream billed a unit without a published price.
 */
export function expectedCost(model: PricedModel, billed: InvoiceUsage): bigint {
  const { per_million, long_prompt } = model.pricing;
  const longCache = billed.units?.cache_write_1h_token ?? 0;
  const prompt = billed.input_tokens + billed.cached_input_tokens + billed.cache_write_tokens + longCache;
  const isLong = long_prompt !== undefined && prompt > long_prompt.above_input_tokens;
  const prices = isLong ? long_prompt.per_million : per_million;
  let millionths = 0n;
  const counts = Object.entries(UNIT_OF).map(([field, unit]) => [unit, billed[field as keyof typeof UNIT_OF]] as const);
  for (const [unit, count] of [...counts, ...Object.entries(billed.units ?? {})]) {
    if (count === 0) continue;
    const price = prices[unit];
    if (price === undefined) throw new Error(`${model.id} has no published price for ${unit}`);
    millionths += BigInt(count) * nanoOf(price);
  }
  return millionths / MILLION + (millionths % MILLION === 0n ? 0n : 1n);
}
