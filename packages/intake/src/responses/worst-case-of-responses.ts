import { hasNativeResponses, type ModelWithCapability } from '@gateway/catalogue';
import {
  asksForCompaction,
  DEFAULT_TOOL_CALLS,
  type NativeResponsesRequest,
  searchesTheWeb,
  visitResponsesInput,
} from '@gateway/contracts';
import { checkContext } from '../check-context.js';
import { LEAST_OUTPUT_TOKENS, type WorstCase } from '../hold-range.js';
import { maxTokensOf } from '../max-tokens.js';
import { inputUsage } from '../media/input-usage.js';
import { inlineOf, MediaTally } from '../media/media-tally.js';
import { cachedPromptUnits, cachingOfKey } from '../prompt-unit.js';

const TOKENS_PER_ITEM = 8;
/** The request for a summary that a compaction adds. */
const TOKENS_OF_INSTRUCTION = 400;
/** Ten results of a search, each with at most about 2,000 tokens. They join the prompt. */
const TOKENS_OF_SEARCH = 20_000;

/**
 * The most that a request can use: its prompt by bytes, media and searches, its output by its cap or the model's maximum.
 * Throws a 400 if the text alone is certainly longer than the context window.
 */
export function worstCaseOfResponses(request: NativeResponsesRequest, model: ModelWithCapability<'chat'>): WorstCase {
  const { maxOutputTokens, media: tokensOfMedia } = model.chat.traits;
  const media = new MediaTally(tokensOfMedia);
  const searches =
    hasNativeResponses(model) && searchesTheWeb(request.tools) ? (request.max_tool_calls ?? DEFAULT_TOOL_CALLS) : 0;
  const tokens = maxInputTokens(request, media, model) + searches * TOKENS_OF_SEARCH;
  const units = cachedPromptUnits(model, () => cachingOfKey(request));
  const input = inputUsage(tokens, media, model, units);
  const cap = request.max_output_tokens;
  return {
    worstCase: {
      ...input,
      units: { ...input.units, output_token: cap ?? maxOutputTokens, ...(searches > 0 && { web_search: searches }) },
      isEstimated: true,
    },
    ...(cap == null && { leastOutputTokens: Math.min(maxOutputTokens, leastOutputOf(request)) }),
    ...(media.refersToMedia && { refersToMedia: true }),
  };
}

/** The model reasons before it summarises, and a summary that is cut is of no use. */
const LEAST_COMPACTION_TOKENS = 16_384;

const leastOutputOf = ({ input }: NativeResponsesRequest): number =>
  asksForCompaction(input) ? LEAST_COMPACTION_TOKENS : LEAST_OUTPUT_TOKENS;

/** The same for a compaction. The vendor's own takes no cap of its output; the summary of another model may have one. */
export function worstCaseOfCompact(request: NativeResponsesRequest, model: ModelWithCapability<'chat'>): WorstCase {
  const { maxOutputTokens, media: tokensOfMedia } = model.chat.traits;
  const media = new MediaTally(tokensOfMedia);
  const tokens = maxInputTokens(request, media, model) + TOKENS_OF_INSTRUCTION;
  const units = cachedPromptUnits(model, () => cachingOfKey(request));
  const input = inputUsage(tokens, media, model, units);
  const isCapped = !hasNativeResponses(model);
  return {
    worstCase: { ...input, units: { ...input.units, output_token: maxOutputTokens }, isEstimated: true },
    ...(isCapped && { leastOutputTokens: Math.min(maxOutputTokens, LEAST_COMPACTION_TOKENS) }),
    ...(media.refersToMedia && { refersToMedia: true }),
  };
}

function maxInputTokens(
  request: NativeResponsesRequest,
  media: MediaTally,
  model: ModelWithCapability<'chat'>,
): number {
  const texts: string[] = [];
  visitResponsesInput(request, {
    text: (text) => texts.push(text),
    media: (kind, source) => media.add(kind, inlineOf(source)),
  });
  checkContext(texts, model, 'input');
  const items = typeof request.input === 'string' ? 1 : request.input.length;
  const instruction = asksForCompaction(request.input) ? TOKENS_OF_INSTRUCTION : 0;
  return maxTokensOf(texts, model.limits.contextTokens) + items * TOKENS_PER_ITEM + instruction;
}
