import { z } from 'zod';
import type { TokenCounts } from '../neutral/answer.js';
import { EFFORTS } from '../neutral/request.js';

/*
 * POST /v1/chat/completions: request and response of the chat-completions protocol. Limits are the interface's.
 * Objects are open: unknown fields are forwarded to an upstream of the same protocol, so newer client libraries work.
 */

const text = z.looseObject({ type: z.literal('text'), text: z.string() });
const imageUrl = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: z.string().min(1), detail: z.enum(['auto', 'low', 'high', 'original']).optional() }),
});
const videoUrl = z.looseObject({ type: z.literal('video_url'), video_url: z.looseObject({ url: z.string().min(1) }) });
const videoFrames = z.looseObject({ type: z.literal('video'), video: z.array(z.string().min(1)).min(1) });
const audioUrl = z.looseObject({ type: z.literal('audio_url'), audio_url: z.looseObject({ url: z.string().min(1) }) });
const inputAudio = z.looseObject({
  type: z.literal('input_audio'),
  input_audio: z.looseObject({ data: z.string().min(1), format: z.string().optional() }),
});
const file = z.looseObject({
  type: z.literal('file'),
  file: z.looseObject({
    file_data: z.string().optional(),
    file_id: z.string().optional(),
    filename: z.string().optional(),
  }),
});
const refusal = z.looseObject({ type: z.literal('refusal'), refusal: z.string() });

const userPart = z.discriminatedUnion('type', [text, imageUrl, videoUrl, videoFrames, audioUrl, inputAudio, file]);
const assistantPart = z.discriminatedUnion('type', [text, refusal]);
const contentOf = <Part extends z.ZodType>(part: Part) => z.union([z.string(), z.array(part).min(1)]);

const customCall = z.looseObject({
  id: z.string().min(1),
  type: z.literal('custom'),
  custom: z.looseObject({ name: z.string().min(1), input: z.string() }),
});
const functionCall = z.looseObject({
  id: z.string().min(1),
  type: z.literal('function').default('function'),
  function: z.looseObject({ name: z.string().min(1), arguments: z.string() }),
});
const toolCall = z.union([functionCall, customCall]);

const message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.literal('system'), content: contentOf(text), name: z.string().nullish() }),
  z.looseObject({ role: z.literal('developer'), content: contentOf(text), name: z.string().nullish() }),
  z.looseObject({ role: z.literal('user'), content: contentOf(userPart), name: z.string().nullish() }),
  z.looseObject({
    role: z.literal('assistant'),
    content: contentOf(assistantPart).nullish(),
    name: z.string().nullish(),
    refusal: z.string().nullish(),
    reasoning_content: z.string().nullish(),
    reasoning_details: z.array(z.looseObject({ type: z.string() })).nullish(),
    tool_calls: z.array(toolCall).min(1).nullish(),
  }),
  z.looseObject({ role: z.literal('tool'), content: contentOf(text), tool_call_id: z.string().min(1) }),
]);

const functionName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'expected 1 to 64 characters of A-Z, a-z, 0-9, _ and -');

const functionDefinition = z.looseObject({
  name: functionName,
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
});
const functionTool = z.looseObject({ type: z.literal('function'), function: functionDefinition });
/** A tool of free text. */
const customTool = z.looseObject({
  type: z.literal('custom'),
  custom: z.looseObject({
    name: functionName,
    description: z.string().optional(),
    format: z.looseObject({ type: z.enum(['text', 'grammar']) }).nullish(),
  }),
});
const tool = z.discriminatedUnion('type', [functionTool, customTool]);

const namedTool = z.union([
  z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: functionName }) }),
  z.looseObject({ type: z.literal('custom'), custom: z.looseObject({ name: functionName }) }),
]);

const toolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  ...namedTool.options,
  z.looseObject({
    type: z.literal('allowed_tools'),
    allowed_tools: z.looseObject({ mode: z.enum(['auto', 'required']), tools: z.array(namedTool).min(1) }),
  }),
]);

const responseFormat = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object'), schema: z.record(z.string(), z.unknown()).nullish() }),
  z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({
      name: functionName,
      description: z.string().optional(),
      schema: z.record(z.string(), z.unknown()).optional(),
      strict: z.boolean().nullish(),
    }),
  }),
]);

const stop = z.union([z.string(), z.array(z.string()).max(4)]);
const messages = z.array(message).min(1);
const tools = z.array(tool);
const model = z.string().min(1);
const metadata = z.record(z.string().max(64), z.string().max(512));

/** The request for models with sampling parameters. */
export const chatCompletionRequest = z.looseObject({
  model,
  messages,
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  n: z.literal(1, { error: 'expected 1: one choice for each request' }).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  stop: stop.nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  tools: tools.nullish(),
  tool_choice: toolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: responseFormat.nullish(),
  reasoning_effort: z.enum(EFFORTS).nullish(),
  seed: z.int().nullish(),
  metadata: metadata.nullish(),
  user: z.string().nullish(),
});

/** The reasoning variant: `max_completion_tokens` instead of `max_tokens`, temperature ignored. */
export const reasoningChatCompletionRequest = z.looseObject({
  ...chatCompletionRequest.shape,
  temperature: z.unknown().optional(),
  max_tokens: z.null().optional(),
  reasoning_effort: z.enum(['low', 'medium', 'high']).nullish(),
});

/** What `tools` and `tool_choice` have replaced: platform.openai.com/docs/api-reference/chat/create. */
export const chatFunctions = z.object({
  functions: z.array(functionDefinition).min(1),
  function_call: z.union([z.enum(['auto', 'none']), z.looseObject({ name: functionName })]).nullish(),
});

/** A call or a result in the form that `tool_calls` and the role `tool` have replaced. */
export const chatMessageWithFunctions = z.discriminatedUnion('role', [
  z.looseObject({
    role: z.literal('assistant'),
    function_call: z.strictObject({ name: z.string().min(1), arguments: z.string() }),
    tool_calls: z.array(z.unknown()).nullish(),
  }),
  z.looseObject({
    role: z.literal('function'),
    name: z.string().min(1),
    content: contentOf(text).nullish(),
  }),
]);

export type ChatCompletionRequest = z.infer<typeof chatCompletionRequest>;
export type ChatMessage = ChatCompletionRequest['messages'][number];
export type ChatAssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;
export type ChatUserPart = z.infer<typeof userPart>;
export type ChatTool = z.infer<typeof tool>;
export type ChatToolChoice = z.infer<typeof toolChoice>;
type NamedTool = ChatTool | z.infer<typeof namedTool>;

/** The name of a tool, or of the one that a choice names. */
export const chatToolName = (tool: NamedTool): string =>
  tool.type === 'custom' ? tool.custom.name : tool.function.name;
export type ChatResponseFormat = z.infer<typeof responseFormat>;

export type ChatFinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter';

export interface ChatToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** Token counts for the client: `prompt_tokens` includes cached tokens, `completion_tokens` reasoning tokens. */
export interface ChatUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details: {
    readonly cached_tokens: number;
    readonly cache_write_tokens?: number;
    readonly audio_tokens?: number;
  };
  readonly completion_tokens_details: { readonly reasoning_tokens: number };
}

/** Counts in the client's `usage` object. */
export const chatUsageOf = (counts: TokenCounts): ChatUsage => ({
  prompt_tokens: counts.promptTokens,
  completion_tokens: counts.completionTokens,
  total_tokens: counts.promptTokens + counts.completionTokens,
  prompt_tokens_details: {
    cached_tokens: counts.cachedTokens,
    ...(counts.cacheWriteTokens !== undefined && {
      cache_write_tokens: counts.cacheWriteTokens + (counts.cacheWrite1hTokens ?? 0),
    }),
    ...(counts.audioTokens !== undefined && counts.audioTokens > 0 && { audio_tokens: counts.audioTokens }),
  },
  completion_tokens_details: { reasoning_tokens: counts.reasoningTokens },
});

export interface ChatCompletion {
  readonly id: string;
  readonly object: 'chat.completion';
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly message: {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly refusal: string | null;
      readonly reasoning_content?: string;
      /** The reasoning as the vendor reads it again: a client returns it with the message. */
      readonly reasoning_details?: readonly object[];
      readonly tool_calls?: readonly ChatToolCall[];
    };
    readonly logprobs: null;
    readonly finish_reason: ChatFinishReason;
  }[];
  readonly usage: ChatUsage;
}

export interface ChatDelta {
  readonly role?: 'assistant';
  readonly content?: string | null;
  readonly refusal?: string | null;
  readonly reasoning_content?: string;
  readonly reasoning_details?: readonly object[];
  readonly tool_calls?: readonly {
    readonly index: number;
    readonly id?: string;
    readonly type?: 'function';
    readonly function: { readonly name?: string; readonly arguments: string };
  }[];
}

export interface ChatCompletionChunk {
  readonly id: string;
  readonly object: 'chat.completion.chunk';
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly delta: ChatDelta;
    readonly logprobs: null;
    readonly finish_reason: ChatFinishReason | null;
  }[];
  /** Present only if the client requested usage: null until the last chunk, whose `choices` is empty. */
  readonly usage?: ChatUsage | null;
}
