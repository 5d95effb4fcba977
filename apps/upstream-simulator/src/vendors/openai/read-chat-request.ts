import type { ToolChoice } from '../../completion/completion.js';
import type { GenerationRequest } from '../../completion/compose-completion.js';
import { PromptTally } from '../../count/tokens.js';
import { type Fields, fieldsOf, listOf, textOf } from '../../json/fields.js';
import type { Memory } from '../vendor-emulator.js';
import { checkChat, checkEffort, checkJsonSchema } from './check-chat.js';
import { invalid } from './openai-errors.js';
import type { OpenAiModel } from './openai-models.js';
import { readChatMessages } from './read-chat-messages.js';

const EFFORT_TOKENS: Readonly<Record<string, number>> = {
  minimal: 4,
  low: 16,
  medium: 32,
  high: 64,
  xhigh: 128,
  max: 256,
};

export const effortTokens = (effort: string | undefined): number => EFFORT_TOKENS[effort ?? 'none'] ?? 0;

export const readToolChoice = (choice: unknown): ToolChoice => {
  if (choice === 'none' || choice === 'required') return choice;
  const named = fieldsOf(choice);
  const name = textOf(fieldsOf(named.function).name) || textOf(named.name);
  return name === '' ? 'auto' : { name };
};

const readJsonMode = (format: Fields, saysJson: () => boolean): GenerationRequest['json'] => {
  if (format.type === 'json_schema') {
    const schema = fieldsOf(format.json_schema);
    checkJsonSchema(schema, 'response_format.json_schema');
    return { schema: schema.schema };
  }
  if (format.type === 'json_object') {
    if (!saysJson()) {
      throw invalid(
        "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
        'messages',
      );
    }
    return {};
  }
  return null;
};

const SAYS_JSON = /json/i;
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

export const checkContext = (model: OpenAiModel, tokens: number, param: string): void => {
  if (tokens > model.contextTokens) {
    throw invalid(
      `This model's maximum context length is ${model.contextTokens} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
      param,
      'context_length_exceeded',
    );
  }
};

export const readChatRequest = (request: Fields, model: OpenAiModel, memory: Memory): GenerationRequest => {
  checkChat(request, model);
  const tally = new PromptTally();
  readChatMessages(request.messages, tally);
  const effort = checkEffort(model, request.reasoning_effort, 'reasoning_effort');
  const json = readJsonMode(fieldsOf(request.response_format), () => SAYS_JSON.test(JSON.stringify(request.messages)));
  return {
    tally,
    directives: memory.repeats.activeDirectives('openai', tally.directed),
    tools: listOf(request.tools)
      .map((tool) => fieldsOf(fieldsOf(tool).function))
      .map((tool) => ({ name: textOf(tool.name), schema: tool.parameters ?? { type: 'object', properties: {} } })),
    toolChoice: readToolChoice(request.tool_choice),
    allowsParallelTools: request.parallel_tool_calls !== false,
    json,
    maxTokens: numberOf(request.max_completion_tokens) ?? numberOf(request.max_tokens) ?? model.maxOutputTokens,
    capsThinking: true,
    stopSequences: typeof request.stop === 'string' ? [request.stop] : listOf(request.stop).map(textOf),
    thinking: model.reasoning === null ? null : { isShown: false, defaultTokens: effortTokens(effort) },
  };
};
