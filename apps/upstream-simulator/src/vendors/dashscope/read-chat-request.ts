import type { ToolChoice } from '../../completion/completion.js';
import type { GenerationRequest } from '../../completion/compose-completion.js';
import { PromptTally } from '../../count/tokens.js';
import { type Fields, fieldsOf, isAbsent, listOf, textOf } from '../../json/fields.js';
import type { Memory } from '../vendor-emulator.js';
import { invalid, refuse } from './dashscope-errors.js';
import type { DashScopeModel } from './dashscope-models.js';
import { readChatMessages } from './read-chat-messages.js';

const DEFAULT_THINKING_TOKENS = 32;

const checkNumbers = (request: Fields, model: DashScopeModel): void => {
  const outside = (name: string, isInside: (value: number) => boolean): boolean => {
    const value = request[name];
    return !isAbsent(value) && !(typeof value === 'number' && isInside(value));
  };
  if (outside('temperature', (value) => value >= 0 && value < 2)) throw invalid('Temperature should be in [0.0, 2.0)');
  if (outside('top_p', (value) => value > 0 && value <= 1)) throw invalid('Range of top_p should be (0.0, 1.0]');
  if (outside('presence_penalty', (value) => value >= -2 && value <= 2)) {
    throw invalid('Presence_penalty should be in [-2.0, 2.0]');
  }
  if (outside('n', (value) => value === 1)) throw invalid('Range of n should be [1, 1]');
  for (const name of ['max_tokens', 'max_completion_tokens']) {
    if (outside(name, (value) => Number.isInteger(value) && value >= 1 && value <= model.maxOutputTokens)) {
      throw invalid(`Range of max_tokens should be [1, ${model.maxOutputTokens}]`);
    }
  }
};

const readThinking = (request: Fields, model: DashScopeModel): GenerationRequest['thinking'] => {
  const isRequested = isAbsent(request.enable_thinking) ? model.thinking === 'on' : request.enable_thinking === true;
  if (model.thinking === 'never' || (model.thinking !== 'always' && !isRequested)) return null;
  if (request.stream !== true) {
    throw model.thinking === 'always'
      ? invalid('This model only support stream mode, please enable the stream parameter to access the model. ')
      : invalid('parameter.enable_thinking must be set to false for non-streaming calls');
  }
  if (fieldsOf(request.response_format).type === 'json_object') {
    throw invalid('Json mode response is not supported when enable_thinking is true');
  }
  const budget = request.thinking_budget;
  const tokens = typeof budget === 'number' ? Math.min(budget, DEFAULT_THINKING_TOKENS) : DEFAULT_THINKING_TOKENS;
  return { isShown: true, defaultTokens: tokens };
};

const readChoice = (choice: unknown): ToolChoice => {
  if (isAbsent(choice) || choice === 'auto' || choice === 'none') return choice === 'none' ? 'none' : 'auto';
  const name = textOf(fieldsOf(fieldsOf(choice).function).name);
  if (name === '') throw invalid('tool_choice is one of the strings that should be ["none", "auto"]');
  return { name };
};

const readJsonMode = (request: Fields): GenerationRequest['json'] => {
  const format = fieldsOf(request.response_format);
  if (format.type === 'json_schema') return { schema: fieldsOf(format.json_schema).schema };
  if (format.type !== 'json_object') return null;
  if (!/json/i.test(JSON.stringify(request.messages))) {
    throw invalid(
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
    );
  }
  return {};
};

const readTools = (request: Fields): GenerationRequest['tools'] =>
  listOf(request.tools)
    .map((tool) => fieldsOf(fieldsOf(tool).function))
    .map((tool, at) => {
      if (textOf(tool.name) === '') throw invalid(`Field required: tools.${at}.function.name`);
      return { name: textOf(tool.name), schema: tool.parameters ?? { type: 'object', properties: {} } };
    });

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** The vendor ignores unknown fields, so they pass. */
export const readChatRequest = (request: Fields, model: DashScopeModel, memory: Memory): GenerationRequest => {
  checkNumbers(request, model);
  const thinking = readThinking(request, model);
  const tally = new PromptTally();
  readChatMessages(request.messages, model, tally);
  return {
    tally,
    directives: memory.repeats.activeDirectives('dashscope', tally.directed),
    tools: readTools(request),
    toolChoice: readChoice(request.tool_choice),
    allowsParallelTools: request.parallel_tool_calls !== false,
    json: readJsonMode(request),
    maxTokens: numberOf(request.max_completion_tokens) ?? numberOf(request.max_tokens) ?? model.maxOutputTokens,
    capsThinking: false,
    stopSequences: typeof request.stop === 'string' ? [request.stop] : listOf(request.stop).map(textOf),
    thinking,
  };
};

export const checkContext = (model: DashScopeModel, tokens: number): void => {
  if (tokens > model.contextTokens) {
    throw refuse(400, {
      message: `Range of input length should be [1, ${model.contextTokens}]`,
      type: 'invalid_request_error',
      code: 'invalid_parameter_error',
    });
  }
};
