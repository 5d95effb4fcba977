import type { Usage } from '@gateway/contracts';
import { isJsonObject } from '../failures/error-body.js';
import { readCount } from '../metering/token-counts.js';

/** Each generated image is charged: as many as the upstream says, else as many as came. */
export function imageUsage(usage: unknown, came: number): Usage {
  const counted = isJsonObject(usage) ? readCount(usage.generated_images) : undefined;
  return { units: { image: counted ?? came }, inputTokensTotal: 0, isEstimated: counted === undefined };
}
