import { type Fields, fieldsOf, isAbsent, isFields, listOf, textOf } from '../../json/fields.js';
import { checkBounds, invalid, invalidType, invalidValue, missing, unsupportedParameter } from './openai-errors.js';
import type { OpenAiModel } from './openai-models.js';

/** The vendor's complaint about a strict schema, or undefined. */
const strictSchemaFault = (schema: unknown, context: readonly string[] = []): string | undefined => {
  const fields = fieldsOf(schema);
  const place = `In context=(${context.map((step) => `'${step}'`).join(', ')})`;
  if (isFields(fields.properties)) {
    if (fields.additionalProperties !== false) {
      return `${place}, 'additionalProperties' is required to be supplied and to be false.`;
    }
    const required = new Set(listOf(fields.required));
    const missing = Object.keys(fields.properties).find((name) => !required.has(name));
    if (missing !== undefined) {
      return `${place}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
    }
    for (const [name, property] of Object.entries(fields.properties)) {
      const fault = strictSchemaFault(property, [...context, 'properties', name]);
      if (fault !== undefined) return fault;
    }
  }
  return 'items' in fields ? strictSchemaFault(fields.items, [...context, 'items']) : undefined;
};

const KNOWN_FIELDS = new Set(
  `model messages max_completion_tokens max_tokens temperature top_p n stop presence_penalty frequency_penalty logit_bias
  logprobs top_logprobs stream stream_options tools tool_choice parallel_tool_calls response_format reasoning_effort
  verbosity modalities audio prediction prompt_cache_key prompt_cache_options prompt_cache_retention safety_identifier
  user service_tier seed store metadata web_search_options moderation functions function_call`.split(/\s+/),
);

const RANGES: readonly (readonly [name: string, min: number, max: number])[] = [
  ['temperature', 0, 2],
  ['top_p', 0, 1],
  ['presence_penalty', -2, 2],
  ['frequency_penalty', -2, 2],
];

const checkRange = (name: string, value: unknown, min: number, max: number): void => {
  if (typeof value !== 'number') {
    throw invalidType(
      name,
      `expected a decimal, but got ${Array.isArray(value) ? 'an array' : `a ${typeof value}`} instead`,
    );
  }
  checkBounds('decimal', name, value, min, max);
};

export const checkMinimum = (request: Fields, name: string, min: number): void => {
  const value = request[name];
  if (isAbsent(value)) return;
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw invalidType(name, `expected an integer, but got a ${typeof value} instead`);
  }
  checkBounds('integer', name, value, min);
};

/** The only effort that takes sampling: developers.openai.com/api/docs/guides/latest-model#gpt-54-parameter-compatibility. */
export const NO_EFFORT = 'none';

/** Models that reason refuse sampling parameters. */
const checkReasoningModel = (request: Fields): void => {
  if (!isAbsent(request.max_tokens)) {
    throw unsupportedParameter(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
    );
  }
  const samples = request.reasoning_effort === NO_EFFORT;
  for (const name of samples ? [] : ['temperature', 'top_p']) {
    if (!isAbsent(request[name]) && request[name] !== 1) {
      throw invalid(
        `Unsupported value: '${name}' does not support ${String(request[name])} with this model. Only the default (1) value is supported.`,
        name,
        'unsupported_value',
      );
    }
  }
  const others = ['presence_penalty', 'frequency_penalty', 'logit_bias', 'stop'];
  for (const name of samples ? others : [...others, 'logprobs', 'top_logprobs']) {
    if (!isAbsent(request[name]) && request[name] !== 0 && request[name] !== false) {
      throw unsupportedParameter(`Unsupported parameter: '${name}' is not supported with this model.`, name);
    }
  }
};

/** Undefined for a model that does not reason. */
export const checkEffort = (model: OpenAiModel, effort: unknown, param: string): string | undefined => {
  if (model.reasoning === null) {
    if (!isAbsent(effort)) {
      throw unsupportedParameter(`Unsupported parameter: '${param}' is not supported with this model.`, param);
    }
    return undefined;
  }
  const resolved = isAbsent(effort) ? model.reasoning.defaultEffort : String(effort);
  if (!model.reasoning.efforts.includes(resolved)) {
    const supported = model.reasoning.efforts.map((one) => `'${one}'`);
    const list =
      supported.length < 2 ? supported.join('') : `${supported.slice(0, -1).join(', ')}, and ${supported.at(-1)}`;
    throw invalid(
      `Unsupported value: '${resolved}' is not supported with the '${model.id}' model. Supported values are: ${list}.`,
      param,
      'unsupported_value',
    );
  }
  return resolved;
};

/** Reasoning with function tools needs the other interface since GPT-5.2. */
export const checkToolsWithEffort = (request: Fields, model: OpenAiModel, effort: string | undefined): void => {
  if (!model.chatToolsNeedNoEffort || effort === 'none' || listOf(request.tools).length === 0) return;
  const advice = isAbsent(request.reasoning_effort)
    ? "To use function tools, use /v1/responses or set reasoning_effort to 'none'."
    : 'Please use /v1/responses instead.';
  throw invalid(
    `Function tools with reasoning_effort are not supported for ${model.id} in /v1/chat/completions. ${advice}`,
    'reasoning_effort',
  );
};

const FUNCTION_NAME = /^[A-Za-z0-9_-]{1,64}$/;

export const checkFunction = (definition: Fields, where: string): void => {
  const name = textOf(definition.name);
  if (name === '') throw missing(`${where}.name`);
  if (!FUNCTION_NAME.test(name)) {
    throw invalid(
      `Invalid '${where}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      `${where}.name`,
      'invalid_value',
    );
  }
  const fault = definition.strict === true ? strictSchemaFault(definition.parameters) : undefined;
  if (fault !== undefined) {
    throw invalid(
      `Invalid schema for function '${name}': ${fault}`,
      `${where}.parameters`,
      'invalid_function_parameters',
    );
  }
};

export const checkJsonSchema = (format: Fields, where: string): void => {
  const name = textOf(format.name);
  if (!FUNCTION_NAME.test(name)) throw missing(`${where}.name`);
  const fault = format.strict === true ? strictSchemaFault(format.schema) : undefined;
  if (fault !== undefined) throw invalid(`Invalid schema for response_format '${name}': ${fault}`, where);
};

const checkTools = (request: Fields): void => {
  const tools = listOf(request.tools).map(fieldsOf);
  tools.forEach((tool, at) => {
    if (tool.type !== 'function' && tool.type !== 'custom') {
      throw invalidValue(`tools[${at}].type`, String(tool.type), `'function' and 'custom'`);
    }
    if (tool.type === 'function') checkFunction(fieldsOf(tool.function), `tools[${at}].function`);
  });
  if (tools.length === 0 && !isAbsent(request.tool_choice) && request.tool_choice !== 'none') {
    throw invalid(
      "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
      'tool_choice',
    );
  }
};

/** Checks everything except messages. */
export const checkChat = (request: Fields, model: OpenAiModel): void => {
  const unknown = Object.keys(request).find((name) => !KNOWN_FIELDS.has(name));
  if (unknown !== undefined) throw invalid(`Unrecognized request argument supplied: ${unknown}`);
  for (const [name, min, max] of RANGES) {
    if (!isAbsent(request[name])) checkRange(name, request[name], min, max);
  }
  checkMinimum(request, 'max_tokens', 1);
  checkMinimum(request, 'max_completion_tokens', 1);
  if (model.reasoning !== null) checkReasoningModel(request);
  if (!isAbsent(request.n) && request.n !== 1) {
    throw invalid("Unsupported value: 'n' must be 1 with this model.", 'n', 'unsupported_value');
  }
  if (Array.isArray(request.stop) && request.stop.length > 4) {
    throw invalid(
      `Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length ${request.stop.length} instead.`,
      'stop',
      'array_above_max_length',
    );
  }
  if (!isAbsent(request.stream_options) && request.stream !== true) {
    throw invalid("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options');
  }
  checkTools(request);
};
