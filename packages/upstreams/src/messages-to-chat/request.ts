import { createHash } from 'node:crypto';
import type {
  ChatCompletionRequest,
  ChatModelTraits,
  ChatTool,
  ChatToolChoice,
  CountTokensRequest,
  MessagesRequest,
  MessagesTool,
} from '@gateway/contracts';
import { chatMessagesOf, joined } from './chat-messages.js';
import { effortOf } from './effort.js';

type Prompt = Pick<ChatCompletionRequest, 'messages' | 'tools'>;

/** Converts system, messages and tools. Throws a GatewayError (400) for content that chat messages cannot express. */
export function chatPromptOf(request: CountTokensRequest): Prompt {
  const system = request.system == null ? '' : joined(request.system);
  const tools = (request.tools ?? []).flatMap(chatTool);
  return {
    messages: [
      ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
      ...request.messages.flatMap(chatMessagesOf),
    ],
    ...(tools.length > 0 && { tools }),
  };
}

/** Converts a request. Drops features of the format's own vendor: cache control, server tools, betas. */
export function chatRequestOf(request: MessagesRequest, traits: ChatModelTraits): ChatCompletionRequest {
  const prompt = chatPromptOf(request);
  const effort = effortOf(request, traits);
  const schema = request.output_config?.format?.schema;
  const user = request.metadata?.user_id;
  return {
    model: request.model,
    ...prompt,
    max_completion_tokens: request.max_tokens,
    ...(request.stream === true && { stream: true }),
    ...(request.temperature != null && { temperature: request.temperature }),
    ...(request.top_p != null && { top_p: request.top_p }),
    ...(request.stop_sequences != null && request.stop_sequences.length > 0 && { stop: request.stop_sequences }),
    ...(prompt.tools !== undefined && choiceOf(request)),
    ...(effort !== undefined && { reasoning_effort: effort }),
    ...(schema !== undefined && {
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema, strict: true } },
    }),
    // Hashed: user ids of this format may exceed an upstream's limit.
    ...(user != null && { user: createHash('sha256').update(user).digest('hex') }),
  };
}

/** Drops tools without a schema: the format's own vendor runs them, so no other model can call them. */
function chatTool({ name, description, input_schema: parameters, strict }: MessagesTool): ChatTool[] {
  if (parameters == null) return [];
  return [
    {
      type: 'function',
      function: {
        name,
        ...(description != null && { description }),
        parameters,
        ...(strict != null && { strict }),
      },
    },
  ];
}

function choiceOf({ tool_choice: choice }: MessagesRequest) {
  if (choice == null) return {};
  const isSingle = choice.type !== 'none' && choice.disable_parallel_tool_use === true;
  return { tool_choice: chatChoice(choice), ...(isSingle && { parallel_tool_calls: false }) };
}

function chatChoice(choice: NonNullable<MessagesRequest['tool_choice']>): ChatToolChoice {
  if (choice.type === 'tool') return { type: 'function', function: { name: choice.name } };
  return choice.type === 'any' ? 'required' : choice.type;
}
