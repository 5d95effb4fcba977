import type { Directives } from '../../directives/directives.js';
import { type Fields, fieldsOf, isAbsent, listOf, textOf } from '../../json/fields.js';
import { invalid } from './anthropic-errors.js';
import { type AnthropicModel, findModel } from './anthropic-models.js';
import type { AnthropicCall } from './read-request.js';
import type { ServerFeatures } from './server-work.js';

const TRIGGER_TOKENS = 150_000;
const MIN_TRIGGER_TOKENS = 50_000;
const DEFAULT_HELPER = 'claude-opus-4-7';
const MAX_FALLBACKS = 3;

/** Fields that exist only with a beta header; `beta` is how its name begins. */
const BETA_FIELDS: readonly (readonly [field: string, beta: string])[] = [
  ['fallbacks', 'server-side-fallback-'],
  ['compaction', 'compact-2026-09-04'],
  ['context_management', 'context-management-|compact-'],
  ['mcp_servers', 'mcp-client-'],
];

const hasBeta = (betas: readonly string[], begins: string): boolean =>
  betas.some((beta) => begins.split('|').some((begin) => beta.startsWith(begin)));

const checkBetas = (request: Fields, betas: readonly string[]): void => {
  for (const [field, begins] of BETA_FIELDS) {
    if (!isAbsent(request[field]) && !hasBeta(betas, begins)) {
      throw invalid(`${field}: Extra inputs are not permitted`);
    }
  }
};

const readEdits = (request: Fields, betas: readonly string[], inputTokens: number): ServerFeatures['compaction'] => {
  const edits = listOf(fieldsOf(request.context_management).edits).map(fieldsOf);
  const compact = edits.find(({ type }) => textOf(type).startsWith('compact_'));
  if (compact === undefined) return null;
  if (!hasBeta(betas, 'compact-')) {
    throw invalid("context_management.edits.0: Input tag 'compact_20260112' does not match any of the expected tags");
  }
  const { value = TRIGGER_TOKENS } = fieldsOf(compact.trigger);
  if (typeof value !== 'number' || value < MIN_TRIGGER_TOKENS) {
    throw invalid(
      `context_management.edits.0.compact_20260112.trigger.input_tokens.value: Input should be greater than or equal to ${MIN_TRIGGER_TOKENS}`,
    );
  }
  return inputTokens >= value ? { pauses: compact.pause_after_compaction === true } : null;
};

const readAdvisor = (request: Fields, model: AnthropicModel, betas: readonly string[]): string | null => {
  const tools = listOf(request.tools).map(fieldsOf);
  const at = tools.findIndex(({ type }) => textOf(type).startsWith('advisor_'));
  const tool = tools[at];
  if (tool === undefined) return null;
  const type = textOf(tool.type);
  if (!hasBeta(betas, 'advisor-tool-')) {
    throw invalid(`tools.${at}: Input tag '${type}' found using 'type' does not match any of the expected tags`);
  }
  const advisor = findModel(textOf(tool.model));
  if (advisor === undefined || !advisor.id.startsWith('claude-opus')) {
    throw invalid(`tools.${at}.model: '${textOf(tool.model)}' cannot be used as an advisor for '${model.id}'`);
  }
  return advisor.id;
};

const readFallback = (request: Fields): string | undefined => {
  const fallbacks = listOf(request.fallbacks).map(fieldsOf);
  if (fallbacks.length > MAX_FALLBACKS) {
    throw invalid(`fallbacks: List should have at most ${MAX_FALLBACKS} items after validation`);
  }
  const unknown = fallbacks.findIndex(({ model }) => findModel(textOf(model)) === undefined);
  if (unknown !== -1)
    throw invalid(`fallbacks.${unknown}.model: '${textOf(fallbacks[unknown]?.model)}' is not allowed`);
  return fallbacks.map(({ model }) => findModel(textOf(model))?.id)[0];
};

/** `iterations=…` in a prompt makes the vendor do it unasked. */
export const readServerFeatures = (
  { request, model, betas }: AnthropicCall,
  directives: Directives,
  inputTokens: number,
): ServerFeatures => {
  checkBetas(request, betas);
  const { iterations } = directives;
  const fallback = readFallback(request);
  const summarizes = !isAbsent(request.compaction) || iterations === 'pause';
  const triggered = readEdits(request, betas, inputTokens) ?? (iterations === 'compaction' ? { pauses: false } : null);
  return {
    compaction: summarizes ? { pauses: true } : triggered,
    advisor: readAdvisor(request, model, betas) ?? (iterations === 'advisor' ? DEFAULT_HELPER : null),
    fallback:
      (directives.isBlocked === true ? fallback : undefined) ?? (iterations === 'fallback' ? DEFAULT_HELPER : null),
    runsCode:
      iterations === 'code' ||
      listOf(request.tools).some((tool) => textOf(fieldsOf(tool).type).startsWith('code_execution_')),
  };
};
