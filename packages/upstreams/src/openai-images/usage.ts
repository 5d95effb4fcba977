import { estimateImageTokens, estimateTokens, type Usage } from '@gateway/contracts';
import { isJsonObject, objectAt } from '../failures/error-body.js';
import { readCount } from '../metering/token-counts.js';
import type { ImageCall } from '../protocol.js';
import type { DescribedImage } from './wire.js';

type Call = ImageCall<'openai-images'>;

/** The upstream's own count, text and images apart; undefined if there is none that adds up. */
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

/** What images cost of which the upstream gave no count: the documented table, in the size and quality that they have. */
export function estimateImageUsage({ request, traits }: Call, images: number, described: DescribedImage): Usage {
  const input = estimateTokens(Buffer.byteLength(request.prompt));
  const tokens = estimateImageTokens(traits, described.size ?? request.size, described.quality ?? request.quality);
  return {
    units: { input_token: input, output_image_token: images * tokens },
    inputTokensTotal: input,
    isEstimated: true,
  };
}

/** The units of both. */
export function addUsage(first: Usage, second: Usage): Usage {
  const units: Record<string, number> = { ...first.units };
  for (const [unit, count] of Object.entries(second.units)) units[unit] = (units[unit] ?? 0) + count;
  return {
    units,
    inputTokensTotal: first.inputTokensTotal + second.inputTokensTotal,
    isEstimated: first.isEstimated || second.isEstimated,
  };
}
