import { isJsonObject } from '@gateway/contracts';
import { readCount } from '../metering/token-counts.js';

/**
 * A vendor's usage of images with the counts that OpenAI's clients require. The vendor's own fields stay.
 * A count that the vendor does not report is 0: an image of these families has one price.
 */
export function withTokenCounts(usage: object): Readonly<Record<string, unknown>> {
  const own = usage as Readonly<Record<string, unknown>>;
  const input = readCount(own.input_tokens) ?? 0;
  const output = readCount(own.output_tokens) ?? 0;
  return {
    ...own,
    input_tokens: input,
    input_tokens_details: isJsonObject(own.input_tokens_details)
      ? own.input_tokens_details
      : { text_tokens: input, image_tokens: 0 },
    output_tokens: output,
    total_tokens: readCount(own.total_tokens) ?? input + output,
  };
}
