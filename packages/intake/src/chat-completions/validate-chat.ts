import type { ModelWithCapability } from '@gateway/catalogue';
import {
  type ChatCompletionRequest,
  type ChatModelTraits,
  chatCompletionRequest,
  GatewayError,
  reasoningChatCompletionRequest,
  truncateForError,
} from '@gateway/contracts';
import { checked } from '../checked.js';

/** The parts that carry media, and the input that a model needs for each. */
export const INPUT_BY_PART: Readonly<Record<string, ChatModelTraits['inputs'][number]>> = {
  image_url: 'image',
  video_url: 'video',
  video: 'video',
  audio_url: 'audio',
  input_audio: 'audio',
  file: 'file',
};

/** Validates by the model's variant of the interface. Throws a 400 that names the field. */
export function validateChat(body: Record<string, unknown>, model: ModelWithCapability<'chat'>): ChatCompletionRequest {
  const isReasoning = model.chat.variant === 'reasoning';
  if (isReasoning) rejectMaxTokens(body);
  const schema = isReasoning ? reasoningChatCompletionRequest : chatCompletionRequest;
  const request = checked(schema, body) as ChatCompletionRequest;
  checkOutputCap(request, model);
  checkEffort(request, model);
  checkParts(request, model);
  return request;
}

function rejectMaxTokens(body: Record<string, unknown>): void {
  if (body.max_tokens === undefined || body.max_tokens === null) return;
  throw new GatewayError(
    'unsupported_parameter',
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    { param: 'max_tokens' },
  );
}

function checkOutputCap(request: ChatCompletionRequest, model: ModelWithCapability<'chat'>): void {
  const { maxOutputTokens: limit, minOutputTokens = 1 } = model.chat.traits;
  for (const param of ['max_tokens', 'max_completion_tokens'] as const) {
    const value = request[param];
    if (typeof value === 'number' && value < minOutputTokens) {
      throw new GatewayError(
        'invalid_request',
        `'${param}': ${model.id} needs an output cap of at least ${minOutputTokens} tokens, got ${value}.`,
        { param },
      );
    }
    if (typeof value === 'number' && value > limit) {
      throw new GatewayError(
        'invalid_request',
        `'${param}': ${model.id} supports at most ${limit} output tokens, got ${value}.`,
        {
          param,
        },
      );
    }
  }
}

function checkEffort(request: ChatCompletionRequest, model: ModelWithCapability<'chat'>): void {
  const effort = request.reasoning_effort;
  const { efforts } = model.chat.traits;
  if (effort == null || (efforts !== null && efforts[effort] !== undefined)) return;
  const allowed = efforts === null ? 'none: omit the field' : Object.keys(efforts).join(', ');
  throw new GatewayError(
    'unsupported_value',
    `'reasoning_effort': '${truncateForError(effort)}' is not supported with ${model.id}. Supported: ${allowed}.`,
    { param: 'reasoning_effort' },
  );
}

function checkParts(request: ChatCompletionRequest, model: ModelWithCapability<'chat'>): void {
  request.messages.forEach((message, index) => {
    if (message.role !== 'user' || typeof message.content === 'string') return;
    message.content.forEach((part, partIndex) => {
      const kind = INPUT_BY_PART[part.type];
      if (kind === undefined || model.chat.traits.inputs.includes(kind)) return;
      const param = `messages[${index}].content[${partIndex}]`;
      throw new GatewayError(
        'invalid_request',
        `'${param}': ${model.id} does not support '${part.type}' (${kind} input).`,
        {
          param,
        },
      );
    });
  });
}
