import {
  estimateTokens,
  type InteractionRequest,
  isJsonObject,
  type JsonObject,
  textSize,
  type Usage,
} from '@gateway/contracts';
import { readCount, readOptionalCount } from '../metering/token-counts.js';
import { type KnownUsage, unpricedIn, withUnpriced } from '../metering/unpriced-usage.js';
import type { ImageCall } from '../protocol.js';

/** `grounding_tool_count` is not here: a grounded search has a price of its own. */
const KNOWN: KnownUsage = {
  counts: new Set([
    ...['total_input_tokens', 'total_output_tokens', 'total_cached_tokens', 'total_thought_tokens', 'total_tokens'],
    ...['total_tool_use_tokens', 'input_tokens_by_modality', 'output_tokens_by_modality', 'cached_tokens_by_modality'],
    'tool_use_tokens_by_modality',
  ]),
  words: { service_tier: ['standard'] },
};

type Call = ImageCall<'gemini-interactions'>;

/** Assumed tokens of one prompt image, if the upstream sends no counts. */
const INPUT_IMAGE_TOKENS = 258;

const tokensOfImage = ({ request, traits }: Call): number =>
  traits.imageTokens[request.response_format?.image_size ?? '1K'] ?? 0;

/** Image tokens in a list of counts by modality; undefined without a list. */
function imageTokensIn(list: unknown): number | undefined {
  if (!Array.isArray(list)) return undefined;
  const entry = list.find((item: unknown) => isJsonObject(item) && item.modality === 'image');
  return isJsonObject(entry) ? readCount(entry.tokens) : 0;
}

function unitsOf(usage: JsonObject, images: number, call: Call): Usage | undefined {
  const input = readCount(usage.total_input_tokens);
  const output = readCount(usage.total_output_tokens);
  const cached = readOptionalCount(usage.total_cached_tokens);
  const thoughts = readOptionalCount(usage.total_thought_tokens);
  const toolUse = readOptionalCount(usage.total_tool_use_tokens);
  if (input === undefined || output === undefined) return undefined;
  if (cached === undefined || thoughts === undefined || toolUse === undefined || cached > input) return undefined;
  const imageIn = Math.min(imageTokensIn(usage.input_tokens_by_modality) ?? 0, input - cached);
  const imageOut = Math.min(imageTokensIn(usage.output_tokens_by_modality) ?? images * tokensOfImage(call), output);
  return {
    units: {
      input_token: input - cached - imageIn + toolUse,
      ...(imageIn > 0 && { input_image_token: imageIn }),
      ...(cached > 0 && { cached_input_token: cached }),
      output_token: output - imageOut + thoughts,
      output_image_token: imageOut,
    },
    inputTokensTotal: input + toolUse,
    isEstimated: false,
  };
}

function promptTokens(input: InteractionRequest['input']): { text: number; images: number } {
  if (typeof input === 'string') return { text: textSize(input), images: 0 };
  const text = input.reduce((size, block) => size + (block.type === 'text' ? textSize(block.text) : 0), 0);
  return { text, images: input.filter(({ type }) => type === 'image').length };
}

function estimate(call: Call, images: number): Usage {
  const { text, images: references } = promptTokens(call.request.input);
  const input = estimateTokens(text + textSize(call.request.system_instruction ?? ''));
  const inputImages = references * INPUT_IMAGE_TOKENS;
  return {
    units: {
      input_token: input,
      ...(inputImages > 0 && { input_image_token: inputImages }),
      output_image_token: images * tokensOfImage(call),
    },
    inputTokensTotal: input + inputImages,
    isEstimated: true,
  };
}

/** Reads the counts by modality; thoughts count as text output. Without counts, estimates the prompt and the images. */
export function readInteractionUsage(usage: unknown, images: number, call: Call): Usage {
  const read = (isJsonObject(usage) ? unitsOf(usage, images, call) : undefined) ?? estimate(call, images);
  return withUnpriced(read, unpricedIn(usage, KNOWN));
}
