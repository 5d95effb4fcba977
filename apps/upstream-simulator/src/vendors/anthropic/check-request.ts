import { type Fields, fieldsOf, isAbsent, listOf, textOf } from '../../json/fields.js';
import { invalid } from './anthropic-errors.js';
import type { AnthropicModel } from './anthropic-models.js';
import { checkGrammars } from './check-grammar.js';

const KNOWN_FIELDS = new Set(
  `model max_tokens messages system stop_sequences stream temperature top_p top_k thinking output_config tools
  tool_choice metadata service_tier speed cache_control container diagnostics inference_geo mcp_servers
  context_management betas fallbacks compaction thread`.split(/\s+/),
);

/** The version without sampling parameters. */
const WITHOUT_SAMPLING = '2026-10-21';
const VERSIONS = ['2023-06-01', WITHOUT_SAMPLING];
const SAMPLING = ['temperature', 'top_p', 'top_k'] as const;
const MIN_BUDGET = 1_024;

export const checkVersion = (version: string | undefined): string => {
  if (version === undefined || version === '') throw invalid('anthropic-version: header is required');
  if (!VERSIONS.includes(version)) throw invalid(`anthropic-version: "${version}" is not a valid version`);
  return version;
};

const checkMaxTokens = (request: Fields, model: AnthropicModel): void => {
  const { max_tokens: maxTokens } = request;
  if (isAbsent(maxTokens)) throw invalid('max_tokens: Field required');
  if (typeof maxTokens !== 'number' || !Number.isInteger(maxTokens)) {
    throw invalid('max_tokens: Input should be a valid integer');
  }
  if (maxTokens < 0) throw invalid('max_tokens: Input should be greater than or equal to 0');
  if (maxTokens > model.maxTokens) {
    throw invalid(
      `max_tokens: ${maxTokens} > ${model.maxTokens}, which is the maximum allowed number of output tokens for ${model.id}`,
    );
  }
};

const checkSampling = (request: Fields, model: AnthropicModel, version: string): void => {
  const isNeutral = (name: string): boolean => name !== 'top_k' && request[name] === 1;
  for (const name of SAMPLING.filter((one) => !isAbsent(request[one]))) {
    if (version === WITHOUT_SAMPLING) throw invalid(`${name}: Extra inputs are not permitted`);
    if (!model.supportsSampling && !isNeutral(name)) {
      throw invalid(`\`${name}\` is not supported for this model. Remove it from your request.`);
    }
    const value = request[name];
    if (typeof value !== 'number') throw invalid(`${name}: Input should be a valid number`);
    if (name !== 'top_k' && (value < 0 || value > 1)) throw invalid(`${name}: range: 0..1`);
  }
};

const DOCS = 'https://docs.claude.com/en/docs/build-with-claude/extended-thinking';

const checkBudget = (thinking: Fields, request: Fields): void => {
  const budget = thinking.budget_tokens;
  if (typeof budget !== 'number') throw invalid('thinking.enabled.budget_tokens: Field required');
  if (budget < MIN_BUDGET) {
    throw invalid(`thinking.enabled.budget_tokens: Input should be greater than or equal to ${MIN_BUDGET}`);
  }
  if (typeof request.max_tokens === 'number' && budget >= request.max_tokens) {
    throw invalid(
      `\`max_tokens\` must be greater than \`thinking.budget_tokens\`. Please consult our documentation at ${DOCS}#max-tokens-and-context-window-size`,
    );
  }
};

const checkBesidesThinking = (request: Fields): void => {
  if (!isAbsent(request.temperature) && request.temperature !== 1) {
    throw invalid(
      `\`temperature\` may only be set to 1 when thinking is enabled. Please consult our documentation at ${DOCS}`,
    );
  }
  if (!isAbsent(request.top_k)) {
    throw invalid(`\`top_k\` must be unset when thinking is enabled. Please consult our documentation at ${DOCS}`);
  }
  const choice = fieldsOf(request.tool_choice).type;
  if (choice === 'any' || choice === 'tool') {
    throw invalid('Thinking may not be enabled when tool_choice forces tool use.');
  }
};

const checkThinking = (request: Fields, model: AnthropicModel): void => {
  if (isAbsent(request.thinking)) return;
  const thinking = fieldsOf(request.thinking);
  switch (thinking.type) {
    case 'disabled':
      return;
    case 'enabled':
      if (!model.supportsBudget) {
        throw invalid(
          '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
        );
      }
      checkBudget(thinking, request);
      break;
    case 'adaptive':
      if (!model.supportsAdaptive) throw invalid('adaptive thinking is not supported on this model');
      break;
    default:
      throw invalid(
        `thinking: Input tag '${textOf(thinking.type)}' found using 'type' does not match any of the expected tags: 'adaptive', 'disabled', 'enabled'`,
      );
  }
  checkBesidesThinking(request);
};

const checkOutputConfig = (request: Fields, model: AnthropicModel): void => {
  const { effort, format } = fieldsOf(request.output_config);
  if (!isAbsent(effort) && !model.efforts.includes(String(effort))) {
    throw invalid(
      model.efforts.length === 0
        ? 'This model does not support the effort parameter.'
        : `output_config.effort: Input should be ${model.efforts.map((one) => `'${one}'`).join(', ')}`,
    );
  }
  if (!isAbsent(format) && fieldsOf(format).type !== 'json_schema') {
    throw invalid("output_config.format.type: Input should be 'json_schema'");
  }
};

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;

const checkTools = (request: Fields, model: AnthropicModel): void => {
  listOf(request.tools)
    .map(fieldsOf)
    .forEach((tool, at) => {
      if (tool.type !== undefined && tool.type !== 'custom') return;
      if (!TOOL_NAME.test(textOf(tool.name))) {
        throw invalid(`tools.${at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
      }
      if (fieldsOf(tool.input_schema).type !== 'object') {
        throw invalid(`tools.${at}.custom.input_schema.type: Field required`);
      }
    });
  const choice = request.tool_choice;
  if (isAbsent(choice)) return;
  const type = textOf(fieldsOf(choice).type);
  if (!['auto', 'any', 'tool', 'none'].includes(type)) {
    throw invalid(
      `tool_choice: Input tag '${type}' found using 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'`,
    );
  }
  if (!model.supportsForcedTools && (type === 'any' || type === 'tool')) {
    throw invalid('tool_choice: type "tool" and "any" are not supported for this model.');
  }
  if (type !== 'none' && listOf(request.tools).length === 0) {
    throw invalid('tool_choice may only be specified while providing tools.');
  }
};

const checkStops = (request: Fields): void => {
  if (listOf(request.stop_sequences).some((stop) => textOf(stop).trim() === '')) {
    throw invalid('stop_sequences: each stop sequence must contain non-whitespace');
  }
};

const checkPrefill = (request: Fields, model: AnthropicModel): void => {
  const last = fieldsOf(listOf(request.messages).at(-1));
  if (last.role === 'assistant' && !model.supportsPrefill) {
    throw invalid(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    );
  }
};

const checkMetadata = (request: Fields): void => {
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(textOf(fieldsOf(request.metadata).user_id))) {
    throw invalid('metadata.user_id: user_id appears to contain an email address');
  }
};

/** Checks everything except messages. `isCount`: no `max_tokens`. */
export const checkRequest = (request: Fields, model: AnthropicModel, version: string, isCount: boolean): void => {
  const unknown = Object.keys(request).find((name) => !KNOWN_FIELDS.has(name));
  if (unknown !== undefined) throw invalid(`${unknown}: Extra inputs are not permitted`);
  if (!isCount) checkMaxTokens(request, model);
  checkSampling(request, model, version);
  checkThinking(request, model);
  checkOutputConfig(request, model);
  checkTools(request, model);
  checkGrammars(request);
  checkStops(request);
  checkMetadata(request);
  checkPrefill(request, model);
};
