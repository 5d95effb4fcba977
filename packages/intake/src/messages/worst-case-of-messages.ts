import { hasNativeMessages, type ModelWithCapability } from '@gateway/catalogue';
import { measureMessages } from '@gateway/contracts';
import type { WorstCase } from '../hold-range.js';
import { maxTokensOfText } from '../max-tokens.js';
import { inputUsage } from '../media/input-usage.js';
import { MediaTally } from '../media/media-tally.js';
import { cachedPromptUnits } from '../prompt-unit.js';
import { addMediaOfMessages } from './media-of-messages.js';
import { mostServerTools } from './server-tools.js';

type Body = Readonly<Record<string, unknown>>;

const TOKENS_PER_MESSAGE = 8;

/**
 * The most that a request can use: its prompt by its text, media and server tools, its output by `maxOutputTokens`. If
 * the upstream speaks the format itself, a prompt that is written to a cache has its own unit.
 */
export function worstCaseOfMessages(
  body: Body,
  maxOutputTokens: number,
  model: ModelWithCapability<'chat'>,
): WorstCase {
  const isNative = hasNativeMessages(model);
  const { textSize, caching } = measureMessages(body, (text) => maxTokensOfText(text, model.limits.contextTokens));
  const media = new MediaTally(model.chat.traits.media);
  addMediaOfMessages(body, media);
  const tools = isNative ? mostServerTools(body.tools) : { searches: 0, tokens: 0 };
  const messages = Array.isArray(body.messages) ? body.messages.length : 0;
  const tokens = textSize + messages * TOKENS_PER_MESSAGE + tools.tokens;
  const input = inputUsage(
    tokens,
    media,
    model,
    cachedPromptUnits(model, () => caching),
  );
  return {
    worstCase: {
      ...input,
      units: {
        ...input.units,
        output_token: maxOutputTokens,
        ...(tools.searches > 0 && { web_search: tools.searches }),
      },
      isEstimated: true,
    },
    ...(media.refersToMedia && { refersToMedia: true }),
  };
}
