import { isJsonObject, type Usage } from '@gateway/contracts';
import { objectAt } from '../json/read-fields.js';
import { readCount } from './token-counts.js';
import { type KnownUsage, unpricedIn, withUnpriced } from './unpriced-usage.js';

const KNOWN: KnownUsage = {
  counts: new Set([
    ...['input_tokens', 'output_tokens', 'total_tokens'],
    ...['input', 'output'].flatMap((side) => [
      `${side}_tokens_details.text_tokens`,
      `${side}_tokens_details.image_tokens`,
    ]),
  ]),
};

/** Reads OpenAI image usage: `input_tokens`, `output_tokens` and their `image_tokens`. Undefined if inconsistent. */
export function readImageUsage(usage: unknown): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const input = readCount(usage.input_tokens);
  const output = readCount(usage.output_tokens);
  if (input === undefined || output === undefined) return undefined;
  const imageIn = readCount(objectAt(usage, 'input_tokens_details').image_tokens) ?? 0;
  const imageOut = readCount(objectAt(usage, 'output_tokens_details').image_tokens) ?? output;
  if (imageIn > input || imageOut > output) return undefined;
  const read: Usage = {
    units: {
      input_token: input - imageIn,
      ...(imageIn > 0 && { input_image_token: imageIn }),
      ...(output > imageOut && { output_token: output - imageOut }),
      output_image_token: imageOut,
    },
    inputTokensTotal: input,
    isEstimated: false,
  };
  return withUnpriced(read, unpricedIn(usage, KNOWN));
}
