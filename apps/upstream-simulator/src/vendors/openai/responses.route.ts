import { composeCompletion, type GenerationRequest } from '../../completion/compose-completion.js';
import { PromptTally } from '../../count/tokens.js';
import { type Fields, fieldsOf, isAbsent, listOf, textOf } from '../../json/fields.js';
import type { CompletionReply, IncomingRequest, Memory, Route } from '../vendor-emulator.js';
import { newId, nowSeconds } from '../vendor-ids.js';
import { checkEffort, checkFunction, checkJsonSchema, checkMinimum } from './check-chat.js';
import { invalid, invalidType, invalidValue, openAiHeaders, unsupportedParameter } from './openai-errors.js';
import type { OpenAiModel } from './openai-models.js';
import { readBody } from './read-body.js';
import { checkContext, effortTokens, readToolChoice } from './read-chat-request.js';
import { type ResponseIdentity, wholeResponse } from './response-object.js';
import { ResponseStream } from './response-stream.js';

const PART_TYPES = 'input_text input_image output_text refusal input_file computer_screenshot summary_text'.split(' ');
const ITEM_TYPES = ['message', 'function_call', 'function_call_output', 'reasoning', 'item_reference'];
const ROLES = ['assistant', 'system', 'developer', 'user'];

const quoted = (words: readonly string[]): string =>
  `${words
    .slice(0, -1)
    .map((word) => `'${word}'`)
    .join(', ')}, and '${words.at(-1)}'`;

const readPart = (part: Fields, where: string, tally: PromptTally): string => {
  const type = textOf(part.type);
  switch (type) {
    case 'input_image':
      if (typeof part.image_url !== 'string' && typeof part.file_id !== 'string') {
        throw invalidType(`${where}.image_url`, 'expected an image URL, but got an object instead');
      }
      tally.images += 1;
      return '';
    case 'input_file':
      tally.files += 1;
      return '';
    case 'input_text':
    case 'output_text':
    case 'refusal':
    case 'summary_text':
      return textOf(part.text ?? part.refusal);
    default:
      throw invalidValue(where, type, quoted(PART_TYPES));
  }
};

const readContent = (content: unknown, where: string, tally: PromptTally): string => {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part, at) => readPart(fieldsOf(part), `${where}[${at}]`, tally))
    .join('');
};

/** Tracks tool calls without an output. */
class InputReader {
  readonly #waiting = new Set<string>();

  constructor(private readonly tally: PromptTally) {}

  read(item: Fields, at: number): void {
    const type = textOf(item.type) || 'message';
    if (!ITEM_TYPES.includes(type)) throw invalidValue(`input[${at}]`, type, quoted(ITEM_TYPES));
    if (type === 'message') {
      this.#readMessage(item, at);
    } else if (type === 'function_call') {
      this.#waiting.add(textOf(item.call_id));
    } else if (type === 'function_call_output') {
      this.#readOutput(item, at);
    }
  }

  end(): void {
    const [callId] = this.#waiting;
    if (callId !== undefined) throw invalid(`No tool output found for function call ${callId}.`, 'input');
  }

  #readMessage(item: Fields, at: number): void {
    if (!ROLES.includes(textOf(item.role))) throw invalidValue(`input[${at}]`, item.role, quoted(ROLES));
    const text = readContent(item.content, `input[${at}].content`, this.tally);
    this.tally.addText(text);
    if (item.role === 'user') this.tally.lastUserText = text;
  }

  #readOutput(item: Fields, at: number): void {
    const callId = textOf(item.call_id);
    if (!this.#waiting.delete(callId)) {
      throw invalid(`No tool call found for function call output with call_id ${callId}.`, 'input');
    }
    this.tally.addToolResult(readContent(item.output, `input[${at}].output`, this.tally));
  }
}

const readResponseInput = (request: Fields, tally: PromptTally): void => {
  tally.addText(textOf(request.instructions));
  if (typeof request.input === 'string') {
    tally.addText(request.input);
    tally.lastUserText = request.input;
    return;
  }
  const items = listOf(request.input);
  if (items.length === 0) {
    throw invalid(
      'One of "input" or "previous_response_id" or \'prompt\' or \'conversation_id\' must be provided.',
      'input',
      'missing_required_parameter',
    );
  }
  const reader = new InputReader(tally);
  items.forEach((item, at) => {
    reader.read(fieldsOf(item), at);
  });
  reader.end();
};

const KNOWN_FIELDS = new Set(
  `model input instructions max_output_tokens max_tool_calls reasoning text tools tool_choice parallel_tool_calls
  temperature top_p top_logprobs metadata store stream stream_options background include previous_response_id
  conversation prompt prompt_cache_key prompt_cache_options prompt_cache_retention safety_identifier service_tier
  truncation user`.split(/\s+/),
);

const MIN_OUTPUT_TOKENS = 16;

const checkRequest = (request: Fields, model: OpenAiModel): void => {
  const unknown = Object.keys(request).find((name) => !KNOWN_FIELDS.has(name));
  if (unknown !== undefined) throw invalid(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter');
  checkMinimum(request, 'max_output_tokens', MIN_OUTPUT_TOKENS);
  if (model.reasoning !== null) {
    const refused = ['temperature', 'top_p'].find((name) => !isAbsent(request[name]) && request[name] !== 1);
    if (refused !== undefined) {
      throw unsupportedParameter(`Unsupported parameter: '${refused}' is not supported with this model.`, refused);
    }
  }
  if (request.background === true) {
    throw unsupportedParameter("The simulator does not support 'background'.", 'background');
  }
  if ('function' in fieldsOf(request.tool_choice)) {
    throw invalid("Unknown parameter: 'tool_choice.function'.", 'tool_choice.function', 'unknown_parameter');
  }
};

const readFormat = (request: Fields): GenerationRequest['json'] => {
  const format = fieldsOf(fieldsOf(request.text).format);
  if (format.type === 'json_schema') {
    checkJsonSchema(format, 'text.format');
    return { schema: format.schema };
  }
  if (format.type !== 'json_object') return null;
  if (!/json/i.test(JSON.stringify(request.input))) {
    throw invalid(
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
      'input',
    );
  }
  return {};
};

const readTools = (request: Fields): GenerationRequest['tools'] => {
  const functions = listOf(request.tools)
    .map(fieldsOf)
    .filter((tool) => tool.type === 'function');
  functions.forEach((tool, at) => {
    checkFunction(tool, `tools[${at}]`);
  });
  return functions.map((tool) => ({ name: textOf(tool.name), schema: tool.parameters ?? { type: 'object' } }));
};

const readResponseRequest = (request: Fields, model: OpenAiModel, memory: Memory) => {
  checkRequest(request, model);
  const tally = new PromptTally();
  readResponseInput(request, tally);
  const reasoning = fieldsOf(request.reasoning);
  const effort = checkEffort(model, reasoning.effort, 'reasoning.effort');
  const parsed: GenerationRequest = {
    tally,
    directives: memory.repeats.activeDirectives('openai', tally.directed),
    tools: readTools(request),
    toolChoice: readToolChoice(request.tool_choice),
    allowsParallelTools: request.parallel_tool_calls !== false,
    json: readFormat(request),
    maxTokens: typeof request.max_output_tokens === 'number' ? request.max_output_tokens : model.maxOutputTokens,
    capsThinking: true,
    stopSequences: [],
    thinking:
      model.reasoning === null ? null : { isShown: !isAbsent(reasoning.summary), defaultTokens: effortTokens(effort) },
  };
  return { parsed, effort };
};

const handle = (incoming: IncomingRequest, memory: Memory): CompletionReply => {
  const { request, model } = readBody(incoming, memory);
  const { parsed, effort } = readResponseRequest(request, model, memory);
  const completion = composeCompletion(parsed);
  checkContext(model, completion.counts.inputTokens, 'input');
  const identity: ResponseIdentity = {
    id: `resp_${newId(48)}`,
    createdAt: nowSeconds(),
    model: model.snapshot,
    effort,
    request,
  };
  incoming.record.upstreamId = identity.id;
  const hidesUsage = parsed.directives.hidesUsage === true;
  const isObfuscated = fieldsOf(request.stream_options).include_obfuscation !== false;
  return {
    kind: 'completion',
    directives: parsed.directives,
    completion: completion,
    isStream: request.stream === true,
    sendsToolCallsWhole: false,
    headers: openAiHeaders(),
    whole: () => wholeResponse(identity, completion, hidesUsage),
    openStream: () => new ResponseStream(identity, completion, { isObfuscated, hidesUsage }),
  };
};

export const responsesRoute: Route = { method: 'POST', path: '/v1/responses', protocol: 'openai-responses', handle };
