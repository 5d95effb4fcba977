import { isJsonObject, type Usage } from '@gateway/contracts';
import { readCount } from '../metering/token-counts.js';
import { type KnownUsage, unpricedIn, withUnpriced } from '../metering/unpriced-usage.js';

/** An image has one price, whatever its tokens. */
const KNOWN: KnownUsage = { counts: new Set(['generated_images', 'input_images', 'output_tokens', 'total_tokens']) };

/** One `image` unit per generated image: `usage.generated_images`, or the number that arrived, as an estimate. */
export function imageUsage(usage: unknown, arrived: number): Usage {
  const counted = isJsonObject(usage) ? readCount(usage.generated_images) : undefined;
  const read = { units: { image: counted ?? arrived }, inputTokensTotal: 0, isEstimated: counted === undefined };
  return withUnpriced(read, unpricedIn(usage, KNOWN));
}
