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

/** What of a request counts as its prompt. Throws a GatewayError (400) for what no chat message can say. */
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

/** The request as a chat request. What only the format's own vendor can do (caches, its tools, betas) is left out. */
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
    // Ids of this format may be longer than an upstream takes.
    ...(user != null && { user: createHash('sha256').update(user).digest('hex') }),
  };
}

/** A tool without a schema is one that the format's own vendor runs: no other model can call it. */
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
