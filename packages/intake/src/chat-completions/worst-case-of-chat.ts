import type { ModelWithCapability } from '@gateway/catalogue';
import type { ChatAssistantMessage, ChatCompletionRequest, ChatUserPart } from '@gateway/contracts';
import { checkContext } from '../check-context.js';
import { LEAST_OUTPUT_TOKENS, type WorstCase } from '../hold-range.js';
import { maxTokensOf } from '../max-tokens.js';
import { inputUsage } from '../media/input-usage.js';
import { inlineOf, MediaTally } from '../media/media-tally.js';
import { type Caching, cachedPromptUnits, cachingOfKey } from '../prompt-unit.js';

const TOKENS_PER_MESSAGE = 8;

/**
 * The most that a chat request can use: input by its text and media, output by its cap or the model's maximum. Throws a
 * 400 if the text alone is certainly longer than the context window.
 */
export function worstCaseOfChat(request: ChatCompletionRequest, model: ModelWithCapability<'chat'>): WorstCase {
  const { traits } = model.chat;
  const media = new MediaTally(traits.media);
  const units = cachedPromptUnits(model, () => cachingOf(request));
  const input = inputUsage(maxInputTokens(request, media, model), media, model, units);
  const cap = request.max_completion_tokens ?? request.max_tokens;
  // The vendor bills the part of a prediction that the response rejects as output, beside the cap.
  const predicted = maxTokensOf(jsonTexts(request.prediction));
  return {
    worstCase: {
      ...input,
      units: { ...input.units, output_token: (cap ?? traits.maxOutputTokens) + predicted },
      isEstimated: true,
    },
    ...(cap == null && predicted === 0 && { leastOutputTokens: Math.min(traits.maxOutputTokens, LEAST_OUTPUT_TOKENS) }),
    ...(media.refersToMedia && { refersToMedia: true }),
  };
}

function maxInputTokens(request: ChatCompletionRequest, media: MediaTally, model: ModelWithCapability<'chat'>): number {
  const { tools, response_format: responseFormat } = request;
  const texts: string[] = [];
  const structured = jsonTexts(tools, responseFormat);
  for (const message of request.messages) {
    if (message.role === 'assistant') structured.push(...jsonTexts(message.tool_calls, reasoningOf(message)));
    const { content } = message;
    const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? []);
    for (const part of parts) {
      if (part.type === 'text') texts.push(part.text);
      else if (part.type === 'refusal') texts.push(part.refusal);
      else addPart(part, media);
    }
  }
  checkContext(texts, model);
  const tokens = maxTokensOf([...texts, ...structured], model.limits.contextTokens);
  return tokens + request.messages.length * TOKENS_PER_MESSAGE;
}

/**
 * Clients of other gateways mark requests, messages, parts and tools for the cache, as in the native messages format. A key
 * of a cache is such a mark too.
 */
function cachingOf(request: ChatCompletionRequest): Caching {
  const { messages, tools } = request;
  let caching: Caching = cachingOfKey(request);
  const parts = messages.flatMap(({ content }): readonly object[] => (Array.isArray(content) ? content : []));
  for (const holder of [request, ...messages, ...parts, ...(tools ?? [])]) {
    const { cache_control: mark } = holder as { readonly cache_control?: { readonly ttl?: unknown } | null };
    if (mark == null) continue;
    if (mark.ttl === '1h') return '1h';
    caching = '5m';
  }
  return caching;
}

const reasoningOf = (message: ChatAssistantMessage): unknown => message.reasoning_details ?? message.reasoning_content;

type MediaPart = Exclude<ChatUserPart, { type: 'text' }>;

function addPart(part: MediaPart, media: MediaTally): void {
  if (part.type === 'video') for (const frame of part.video) media.add('image', inlineOf(frame));
  else if (part.type === 'image_url') media.add('image', inlineOf(part.image_url.url));
  else if (part.type === 'video_url') media.add('video', inlineOf(part.video_url.url));
  else if (part.type === 'audio_url') media.add('audio', inlineOf(part.audio_url.url));
  else if (part.type === 'input_audio') media.add('audio', inlineOf(part.input_audio.data));
  else media.add('file', inlineOf(part.file.file_data));
}

const jsonTexts = (...values: readonly unknown[]): string[] =>
  values.flatMap((value) => (value == null ? [] : [JSON.stringify(value)]));
