import type { Usage } from '@gateway/contracts';
import { isJsonObject, objectAt } from '../failures/error-body.js';
import { readCount } from './token-counts.js';

/** Reads OpenAI image usage: `input_tokens`, `output_tokens` and their `image_tokens`. Undefined if inconsistent. */
export function readImageUsage(usage: unknown): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const input = readCount(usage.input_tokens);
  const output = readCount(usage.output_tokens);
  if (input === undefined || output === undefined) return undefined;
  const imageIn = readCount(objectAt(usage, 'input_tokens_details').image_tokens) ?? 0;
  const imageOut = readCount(objectAt(usage, 'output_tokens_details').image_tokens) ?? output;
  if (imageIn > input || imageOut > output) return undefined;
  return {
    units: {
      input_token: input - imageIn,
      ...(imageIn > 0 && { input_image_token: imageIn }),
      ...(output > imageOut && { output_token: output - imageOut }),
      output_image_token: imageOut,
    },
    inputTokensTotal: input,
    isEstimated: false,
  };
}
