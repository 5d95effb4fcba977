import type { Usage } from '@gateway/contracts';
import { isJsonObject } from '../failures/error-body.js';
import { readCount } from '../metering/token-counts.js';

/** One `image` unit per generated image: `usage.generated_images`, or the number that arrived, as an estimate. */
export function imageUsage(usage: unknown, arrived: number): Usage {
  const counted = isJsonObject(usage) ? readCount(usage.generated_images) : undefined;
  return { units: { image: counted ?? arrived }, inputTokensTotal: 0, isEstimated: counted === undefined };
}
