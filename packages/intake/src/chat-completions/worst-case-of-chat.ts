import type { ModelWithCapability } from '@gateway/catalogue';
import type { ChatCompletionRequest } from '@gateway/contracts';
import { LEAST_OUTPUT_TOKENS, type WorstCase } from '../hold-range.js';
import { maxTokens } from '../max-tokens.js';

const TOKENS_PER_MESSAGE = 8;
/** Tokens held for one part of each kind. The upstream counts the real number. */
const TOKENS_OF_PART: Readonly<Record<string, number>> = {
  image_url: 1_600,
  video_url: 20_000,
  video: 20_000,
  audio_url: 10_000,
  input_audio: 10_000,
  file: 20_000,
};

/** The most that a chat request can use: input by its bytes, output by its cap or the model's maximum. */
export function worstCaseOfChat(request: ChatCompletionRequest, model: ModelWithCapability<'chat'>): WorstCase {
  const { maxOutputTokens } = model.chat.traits;
  const cap = request.max_completion_tokens ?? request.max_tokens;
  const input = maxInputTokens(request);
  return {
    worstCase: {
      units: { input_token: input, output_token: cap ?? maxOutputTokens },
      inputTokensTotal: input,
      isEstimated: true,
    },
    ...(cap == null && { leastOutputTokens: Math.min(maxOutputTokens, LEAST_OUTPUT_TOKENS) }),
  };
}

function maxInputTokens(request: ChatCompletionRequest): number {
  const { tools, response_format: responseFormat } = request;
  let bytes = bytesOf(tools) + bytesOf(responseFormat);
  let tokens = 0;
  for (const message of request.messages) {
    tokens += TOKENS_PER_MESSAGE;
    if (message.role === 'assistant') bytes += bytesOf(message.tool_calls);
    const { content } = message;
    const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? []);
    for (const part of parts) {
      if (part.type === 'text') bytes += Buffer.byteLength(part.text);
      else tokens += TOKENS_OF_PART[part.type] ?? 0;
    }
  }
  return tokens + maxTokens(bytes);
}

const bytesOf = (value: unknown): number => (value == null ? 0 : Buffer.byteLength(JSON.stringify(value)));
