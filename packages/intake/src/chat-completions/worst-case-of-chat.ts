import type { ModelWithCapability } from '@gateway/catalogue';
import type { ChatCompletionRequest, Usage } from '@gateway/contracts';
import { maxTokens } from '../max-tokens.js';

/** Assumed output of a request without a cap: more than nearly all responses have, and little enough to hold. */
const UNCAPPED_OUTPUT_TOKENS = 4_096;
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

/** The most that a chat request can reasonably use: input by its bytes, output by its cap. */
export function worstCaseOfChat(request: ChatCompletionRequest, model: ModelWithCapability<'chat'>): Usage {
  const cap = request.max_completion_tokens ?? request.max_tokens;
  const output = cap ?? Math.min(model.chat.traits.maxOutputTokens, UNCAPPED_OUTPUT_TOKENS);
  const input = maxInputTokens(request);
  return { units: { input_token: input, output_token: output }, inputTokensTotal: input, isEstimated: true };
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
