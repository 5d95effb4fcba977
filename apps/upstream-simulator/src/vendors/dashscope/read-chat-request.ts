import type { ToolChoice } from '../../completion/completion.js';
import type { GenerationRequest } from '../../completion/compose-completion.js';
import { PromptTally } from '../../count/tokens.js';
import { type Fields, fieldsOf, isAbsent, listOf, textOf } from '../../json/fields.js';
import type { Memory } from '../vendor-emulator.js';
import { invalid, refuse } from './dashscope-errors.js';
import type { DashScopeModel } from './dashscope-models.js';

const ROLES = ['system', 'user', 'assistant', 'tool'];

class MessageReader {
  readonly #waiting = new Set<string>();

  constructor(
    private readonly model: DashScopeModel,
    private readonly tally: PromptTally,
  ) {}

  read(message: Fields, at: number): void {
    const role = textOf(message.role);
    if (!ROLES.includes(role)) {
      throw invalid(`${role} is not one of ['system', 'assistant', 'user', 'tool'] - 'messages.${at}.role'`);
    }
    this.#checkToolResults(message);
    if (isAbsent(message.content) && role !== 'assistant') throw invalid(`Field required: messages.${at}.content`);
    const text = this.#content(message.content, at);
    if (role === 'tool') {
      this.tally.toolResults.push(text);
    } else if (role === 'user') {
      this.tally.lastUserText = text;
    }
  }

  end(): void {
    if (this.#waiting.size > 0) throw missingResults(this.#waiting);
  }

  #checkToolResults(message: Fields): void {
    if (message.role === 'tool') {
      if (!this.#waiting.delete(textOf(message.tool_call_id))) {
        throw invalid('messages with role "tool" must be a response to a preceeding message with "tool_calls".');
      }
      return;
    }
    if (this.#waiting.size > 0) throw missingResults(this.#waiting);
    for (const call of listOf(message.tool_calls)) this.#waiting.add(textOf(fieldsOf(call).id));
  }

  #content(content: unknown, at: number): string {
    const texts = Array.isArray(content)
      ? content.map((part, index) => this.#part(fieldsOf(part), `messages.${at}.content.${index}`))
      : [textOf(content)];
    for (const text of texts) this.tally.addText(text);
    return texts.join('');
  }

  #part(part: Fields, where: string): string {
    switch (part.type) {
      case 'text':
        return textOf(part.text);
      case 'image_url':
        this.#media('image', fieldsOf(part.image_url).url, `${where}.image_url.url`);
        this.tally.images += 1;
        return '';
      case 'video_url':
        this.#media('video', fieldsOf(part.video_url).url, `${where}.video_url.url`);
        this.tally.videos += 1;
        return '';
      case 'video':
        this.#media('video', listOf(part.video)[0], `${where}.video`);
        this.tally.videos += 1;
        return '';
      case 'input_audio':
        this.#media('audio', fieldsOf(part.input_audio).data, `${where}.input_audio.data`);
        this.tally.audios += 1;
        return '';
      default:
        throw invalid(`Unexpected item type in content: ${String(part.type)}`);
    }
  }

  /** Bare base64 is refused, also in `input_audio`. */
  #media(kind: 'image' | 'video' | 'audio', address: unknown, where: string): void {
    if (!this.model.inputs.includes(kind)) throw invalid(`The model ${this.model.id} does not support ${kind} input.`);
    if (!/^(https?:\/\/|data:|oss:\/\/)/.test(textOf(address).slice(0, 16))) {
      throw invalid(`The provided URL does not appear to be valid. Ensure it is correctly formatted. - '${where}'`);
    }
  }
}

const missingResults = (waiting: ReadonlySet<string>) =>
  invalid(
    `An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id". The following tool_call_ids did not have response messages: ${[...waiting].join(', ')}`,
  );

const readChatMessages = (messages: unknown, model: DashScopeModel, tally: PromptTally): void => {
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('Field required: messages');
  const reader = new MessageReader(model, tally);
  messages.map(fieldsOf).forEach((message, at) => {
    reader.read(message, at);
  });
  reader.end();
};

const DEFAULT_THINKING_TOKENS = 32;
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

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
  const budget = numberOf(request.thinking_budget) ?? model.maxThinkingTokens;
  return {
    isShown: true,
    defaultTokens: DEFAULT_THINKING_TOKENS,
    maxTokens: Math.min(budget, model.maxThinkingTokens),
  };
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

const MAX_TOOL_NAME = 64;

const readTools = (request: Fields): GenerationRequest['tools'] =>
  listOf(request.tools)
    .map((tool) => fieldsOf(fieldsOf(tool).function))
    .map((tool, at) => {
      if (textOf(tool.name) === '') throw invalid(`Field required: tools.${at}.function.name`);
      if (textOf(tool.name).length > MAX_TOOL_NAME) {
        throw invalid(
          `<400> InternalError.Algo.InvalidParameter: The length of the tool name cannot exceed ${MAX_TOOL_NAME}.`,
        );
      }
      return { name: textOf(tool.name), schema: tool.parameters ?? { type: 'object', properties: {} } };
    });

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
    // `max_tokens` of models before qwen4 limits the answer alone (notice of 2026-11-02).
    capsThinking: numberOf(request.max_completion_tokens) !== undefined,
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
