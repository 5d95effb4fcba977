import type { ToolChoice, ToolSpec } from '../../completion/completion.js';
import type { GenerationRequest } from '../../completion/compose-completion.js';
import { PromptTally } from '../../count/tokens.js';
import { type Fields, fieldsOf, isAbsent, listOf, textOf } from '../../json/fields.js';
import type { Memory } from '../vendor-emulator.js';
import { checkChat, checkEffort, checkJsonSchema, checkToolsWithEffort } from './check-chat.js';
import { checkMessageFields } from './check-message-fields.js';
import { invalid, invalidType, invalidValue, missing } from './openai-errors.js';
import type { OpenAiModel } from './openai-models.js';

const PART_TYPES: Readonly<Record<string, readonly string[]>> = {
  system: ['text'],
  developer: ['text'],
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
  tool: ['text'],
};

const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

const tallyPart = (part: Fields, where: string, role: string, tally: PromptTally): string => {
  const type = textOf(part.type);
  const allowed = PART_TYPES[role] ?? [];
  if (!allowed.includes(type)) throw invalidValue(`${where}.type`, type, `${quoted(allowed)}`);
  switch (type) {
    case 'image_url':
      checkImage(part, where);
      tally.images += 1;
      return '';
    case 'input_audio':
      checkAudio(part, where);
      tally.audios += 1;
      return '';
    case 'file':
      tally.files += 1;
      return '';
    default: {
      const text = part.text ?? part.refusal;
      if (typeof text !== 'string') throw missing(`${where}.${type}`);
      return text;
    }
  }
};

const checkImage = (part: Fields, where: string): void => {
  const { url } = fieldsOf(part.image_url);
  if (typeof url !== 'string') throw invalidType(`${where}.image_url`, `expected an object with a 'url'`);
  if (!/^(https?:\/\/|data:image\/)/.test(url.slice(0, 32))) {
    throw invalid(
      `Invalid '${where}.image_url.url'. Expected a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU='), but got a value without the 'data:' prefix.`,
      `${where}.image_url.url`,
      'invalid_value',
    );
  }
};

const checkAudio = (part: Fields, where: string): void => {
  const { data, format } = fieldsOf(part.input_audio);
  if (typeof data !== 'string' || (format !== 'wav' && format !== 'mp3')) {
    throw invalidValue(`${where}.input_audio.format`, String(format), `'wav' and 'mp3'`);
  }
};

const tallyContent = (message: Fields, at: number, role: string, tally: PromptTally): string => {
  const { content } = message;
  const texts = Array.isArray(content)
    ? listOf(content).map((part, index) => tallyPart(fieldsOf(part), `messages[${at}].content[${index}]`, role, tally))
    : [textOf(content)];
  if (isAbsent(content) && role !== 'assistant') {
    throw invalid(`Invalid value for 'content': expected a string, got null.`, `messages.[${at}].content`);
  }
  for (const text of texts) tally.addText(text);
  return texts.join('');
};

const MAX_CALL_ID = 40;

const tooLong = (where: string, value: string) =>
  invalid(
    `Invalid '${where}': string too long. Expected a string with maximum length ${MAX_CALL_ID}, but got a string with length ${value.length} instead.`,
    where,
    'string_above_max_length',
  );

/** `waiting`: tool calls without a result so far. */
const checkToolResults = (waiting: Set<string>, message: Fields, at: number): void => {
  if (message.role === 'tool') {
    if (!waiting.delete(textOf(message.tool_call_id))) {
      throw invalid(
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        `messages.[${at}].role`,
      );
    }
    return;
  }
  if (waiting.size > 0) throw missingResults(waiting, at);
  listOf(message.tool_calls).forEach((call, index) => {
    const id = textOf(fieldsOf(call).id);
    if (id.length > MAX_CALL_ID) throw tooLong(`messages[${at}].tool_calls[${index}].id`, id);
    waiting.add(id);
  });
};

const missingResults = (waiting: ReadonlySet<string>, at: number) =>
  invalid(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...waiting].join(', ')}`,
    `messages.[${at}].role`,
  );

const readChatMessages = (messages: unknown, tally: PromptTally): void => {
  if (!Array.isArray(messages)) throw missing('messages');
  if (messages.length === 0) {
    throw invalid(
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      'messages',
      'empty_array',
    );
  }
  const waiting = new Set<string>();
  messages.map(fieldsOf).forEach((message, at) => {
    const role = textOf(message.role);
    if (!Object.hasOwn(PART_TYPES, role)) {
      throw invalidValue(
        `messages[${at}].role`,
        role,
        `'system', 'assistant', 'user', 'function', 'tool', and 'developer'`,
      );
    }
    checkMessageFields(message, at);
    checkToolResults(waiting, message, at);
    const text = tallyContent(message, at, role, tally);
    if (role === 'user') {
      tally.lastUserText = text;
    } else if (role === 'tool') {
      tally.toolResults.push(text);
    }
  });
  if (waiting.size > 0) throw missingResults(waiting, messages.length - 1);
};

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
  const name = textOf(fieldsOf(named.function ?? named.custom).name) || textOf(named.name);
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
  if (tokens > model.inputTokens) {
    throw invalid(
      `Input tokens exceed the configured limit of ${model.inputTokens} tokens. Your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
      param,
      'context_length_exceeded',
    );
  }
  if (tokens > model.contextTokens) {
    throw invalid(
      `This model's maximum context length is ${model.contextTokens} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
      param,
      'context_length_exceeded',
    );
  }
};

const readTool = (tool: Fields): ToolSpec => {
  if (tool.type === 'custom') return { name: textOf(fieldsOf(tool.custom).name), schema: undefined, isFreeForm: true };
  const { name, parameters } = fieldsOf(tool.function);
  return { name: textOf(name), schema: parameters ?? { type: 'object', properties: {} } };
};

export const readChatRequest = (request: Fields, model: OpenAiModel, memory: Memory): GenerationRequest => {
  checkChat(request, model);
  const tally = new PromptTally();
  readChatMessages(request.messages, tally);
  const effort = checkEffort(model, request.reasoning_effort, 'reasoning_effort');
  checkToolsWithEffort(request, model, effort);
  const json = readJsonMode(fieldsOf(request.response_format), () => SAYS_JSON.test(JSON.stringify(request.messages)));
  return {
    tally,
    directives: memory.repeats.activeDirectives('openai', tally.directed),
    tools: listOf(request.tools).map(fieldsOf).map(readTool),
    toolChoice: readToolChoice(request.tool_choice),
    allowsParallelTools: request.parallel_tool_calls !== false,
    json,
    maxTokens: numberOf(request.max_completion_tokens) ?? numberOf(request.max_tokens) ?? model.maxOutputTokens,
    capsThinking: true,
    stopSequences: typeof request.stop === 'string' ? [request.stop] : listOf(request.stop).map(textOf),
    thinking: model.reasoning === null ? null : { isShown: false, defaultTokens: effortTokens(effort) },
  };
};
