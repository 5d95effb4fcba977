import { hasNativeGenerate, type ModelWithCapability } from '@gateway/catalogue';
import { type GenerateContentRequest, measureContents } from '@gateway/contracts';
import { checkContext } from '../check-context.js';
import { LEAST_OUTPUT_TOKENS, type WorstCase } from '../hold-range.js';
import { maxTokensOf } from '../max-tokens.js';
import { inputUsage } from '../media/input-usage.js';
import { MediaTally } from '../media/media-tally.js';
import { usesServerTools } from './server-tools.js';

const TOKENS_PER_MESSAGE = 8;

/**
 * The most that a request in Google's native format can use: input by its bytes and media, output by its cap for each
 * candidate. The vendor counts thoughts within the cap.
 */
export function worstCaseOfGenerate(request: GenerateContentRequest, model: ModelWithCapability<'chat'>): WorstCase {
  const { traits } = model.chat;
  const { texts, structured, messages, media } = measureContents(request);
  checkContext(texts, model, 'contents');
  const tally = new MediaTally(traits.media);
  for (const { kind, data } of media) tally.add(kind, data);
  // The vendor does not bound what its own tools read. No other vendor gets them.
  if (hasNativeGenerate(model) && usesServerTools(request)) tally.fillsContext = true;
  const { maxOutputTokens: cap, candidateCount = 1 } = request.generationConfig ?? {};
  const tokens = maxTokensOf([...texts, ...structured], model.limits.contextTokens);
  const input = inputUsage(tokens + messages * TOKENS_PER_MESSAGE, tally, model);
  const output = (cap ?? traits.maxOutputTokens) * candidateCount;
  const isCappable = cap === undefined && candidateCount === 1;
  return {
    worstCase: { ...input, units: { ...input.units, output_token: output }, isEstimated: true },
    ...(isCappable && { leastOutputTokens: Math.min(traits.maxOutputTokens, LEAST_OUTPUT_TOKENS) }),
    ...(tally.refersToMedia && { refersToMedia: true }),
  };
}
