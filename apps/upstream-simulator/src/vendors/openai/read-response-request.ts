import type { Completion } from '../../completion/completion.js';
import { composeCompletion, type GenerationRequest } from '../../completion/compose-completion.js';
import { firstBytes } from '../../completion/text.js';
import { PromptTally, tokensOfText } from '../../count/tokens.js';
import type { Directives } from '../../directives/directives.js';
import { type Fields, fieldsOf, isAbsent, listOf, textOf } from '../../json/fields.js';
import type { Memory } from '../vendor-emulator.js';
import { checkEffort, checkJsonSchema, checkMinimum, NO_EFFORT } from './check-chat.js';
import { invalid, invalidValue, unknownParameter, unsupportedParameter } from './openai-errors.js';
import type { OpenAiModel } from './openai-models.js';
import { effortTokens, readToolChoice } from './read-chat-request.js';
import { quoted, readResponseInput } from './read-response-input.js';
import { checkToolChoice, readClientTools, readWebWork, type WebWork } from './read-response-tools.js';

const KNOWN_FIELDS = new Set(
  `model input instructions max_output_tokens max_tool_calls reasoning text tools tool_choice parallel_tool_calls
  temperature top_p top_logprobs metadata store stream stream_options background include previous_response_id
  conversation prompt prompt_cache_key prompt_cache_options prompt_cache_retention safety_identifier service_tier
  truncation user`.split(/\s+/),
);

const INCLUDES = `file_search_call.results web_search_call.results web_search_call.action.sources
  message.input_image.image_url computer_call_output.output.image_url code_interpreter_call.outputs
  reasoning.encrypted_content message.output_text.logprobs`.split(/\s+/);

const MIN_OUTPUT_TOKENS = 16;

const checkRequest = (request: Fields, model: OpenAiModel): void => {
  const unknown = Object.keys(request).find((name) => !KNOWN_FIELDS.has(name));
  if (unknown !== undefined) throw unknownParameter(unknown);
  checkMinimum(request, 'max_output_tokens', MIN_OUTPUT_TOKENS);
  checkMinimum(request, 'max_tool_calls', 1);
  listOf(request.include).forEach((name, at) => {
    if (!INCLUDES.includes(textOf(name))) throw invalidValue(`include[${at}]`, name, quoted(INCLUDES));
  });
  if (model.reasoning !== null && fieldsOf(request.reasoning).effort !== NO_EFFORT) {
    const refused = ['temperature', 'top_p'].find((name) => !isAbsent(request[name]) && request[name] !== 1);
    if (refused !== undefined) {
      throw unsupportedParameter(`Unsupported parameter: '${refused}' is not supported with this model.`, refused);
    }
  }
  if (request.background === true) {
    throw unsupportedParameter("The simulator does not support 'background'.", 'background');
  }
  if ('function' in fieldsOf(request.tool_choice)) {
    throw unknownParameter('tool_choice.function');
  }
  checkToolChoice(request);
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

const REFUSAL = 'I’m sorry, but I cannot assist with that request.';

const withText = (completion: Completion, text: string): Completion => ({
  ...completion,
  text,
  toolCalls: [],
  finish: 'stop',
  counts: { ...completion.counts, visibleTokens: tokensOfText(text) },
});

/** The model refuses, or the vendor's filter stops it half way. */
const moderated = (completion: Completion, { isBlocked, isFiltered }: Directives): Completion => {
  if (isBlocked === true) return withText(completion, REFUSAL);
  if (isFiltered !== true) return completion;
  return withText(completion, firstBytes(completion.text, Math.ceil(Buffer.byteLength(completion.text) / 2)));
};

export interface ResponseWork {
  readonly directives: Directives;
  readonly completion: Completion;
  readonly effort: string | undefined;
  readonly web: WebWork;
}

/** Throws the vendor's refusal of a request. */
export const runResponse = (
  request: Fields,
  model: OpenAiModel,
  { memory, organization }: { readonly memory: Memory; readonly organization: string },
): ResponseWork => {
  checkRequest(request, model);
  const tally = new PromptTally();
  readResponseInput(request, { tally, organization, isStored: request.store !== false });
  const reasoning = fieldsOf(request.reasoning);
  const effort = checkEffort(model, reasoning.effort, 'reasoning.effort');
  const directives = memory.repeats.activeDirectives('openai', tally.directed);
  const web = readWebWork(request, directives);
  const completion = composeCompletion({
    tally,
    directives: { ...directives, searches: web.searches },
    tools: readClientTools(request),
    toolChoice: readToolChoice(request.tool_choice),
    allowsParallelTools: request.parallel_tool_calls !== false,
    json: readFormat(request),
    maxTokens: typeof request.max_output_tokens === 'number' ? request.max_output_tokens : model.maxOutputTokens,
    capsThinking: true,
    stopSequences: [],
    thinking:
      model.reasoning === null ? null : { isShown: !isAbsent(reasoning.summary), defaultTokens: effortTokens(effort) },
    mostSearches: web.searches,
  });
  return { directives, completion: moderated(completion, directives), effort, web };
};
