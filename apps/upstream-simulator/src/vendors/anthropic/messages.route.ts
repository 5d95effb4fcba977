import type { Completion, ToolChoice } from '../../completion/completion.js';
import { composeCompletion, type GenerationRequest } from '../../completion/compose-completion.js';
import { inputTokens } from '../../count/tokens.js';
import type { Directives } from '../../directives/directives.js';
import { type Fields, fieldsOf, isAbsent, listOf, textOf } from '../../json/fields.js';
import type { CompletionReply, FixedReply, IncomingRequest, Memory, Route } from '../vendor-emulator.js';
import { newId } from '../vendor-ids.js';
import { anthropicHeaders, invalid, refuse } from './anthropic-errors.js';
import { type AnthropicModel, findModel, modelEntry, modelPage } from './anthropic-models.js';
import { NO_CACHE } from './cache-prefix.js';
import { checkVersion } from './check-request.js';
import { hasAnswer, type MessageIdentity, type UsageTerms, wholeMessage } from './message.js';
import { MessageStream } from './message-stream.js';
import { type AnthropicCall, readRequest } from './read-request.js';
import { readServerFeatures } from './server-features.js';
import { serverWork } from './server-work.js';

const MAX_LIMIT = 1_000;

const reply = (body: object): FixedReply => ({
  kind: 'fixed',
  headers: anthropicHeaders(),
  body: JSON.stringify(body),
});

const list = ({ headers, query }: IncomingRequest): FixedReply => {
  checkVersion(headers['anthropic-version']?.toString());
  const limit = query.limit === undefined ? undefined : Number(query.limit);
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT)) {
    throw invalid('limit: Input should be between 1 and 1000');
  }
  return reply(modelPage(limit, query.after_id));
};

const one = ({ headers, params }: IncomingRequest): FixedReply => {
  checkVersion(headers['anthropic-version']?.toString());
  const model = findModel(params.model ?? '');
  if (model === undefined) throw refuse(404, 'not_found_error', `model: ${params.model}`);
  return reply(modelEntry(model));
};

export const modelRoutes: readonly Route[] = [
  { method: 'GET', path: '/v1/models', protocol: 'anthropic-models', handle: list },
  { method: 'GET', path: '/v1/models/:model', protocol: 'anthropic-models', handle: one },
];

const EFFORT_TOKENS: Readonly<Record<string, number>> = { low: 16, medium: 32, high: 64, xhigh: 128, max: 256 };

const readChoice = (choice: unknown): ToolChoice => {
  const { type, name } = fieldsOf(choice);
  if (type === 'tool') return { name: textOf(name) };
  return type === 'any' ? 'required' : type === 'none' ? 'none' : 'auto';
};

const readThinking = (request: Fields, model: AnthropicModel): GenerationRequest['thinking'] => {
  const thinking = fieldsOf(request.thinking);
  if (thinking.type !== 'enabled' && thinking.type !== 'adaptive') return null;
  const isShown = isAbsent(thinking.display) ? model.showsThinking : thinking.display === 'summarized';
  const effort = textOf(fieldsOf(request.output_config).effort);
  return { isShown, defaultTokens: EFFORT_TOKENS[effort] ?? EFFORT_TOKENS.high ?? 0 };
};

const generationRequest = ({ request, model, tally, cache }: AnthropicCall, memory: Memory): GenerationRequest => {
  const cacheUse = cache?.use(memory.promptCache) ?? NO_CACHE;
  const format = fieldsOf(fieldsOf(request.output_config).format);
  return {
    tally,
    directives: memory.repeats.activeDirectives('anthropic', tally.directed),
    tools: listOf(request.tools)
      .map(fieldsOf)
      .filter((tool) => tool.input_schema !== undefined)
      .map((tool) => ({ name: textOf(tool.name), schema: tool.input_schema })),
    toolChoice: readChoice(request.tool_choice),
    allowsParallelTools: fieldsOf(request.tool_choice).disable_parallel_tool_use !== true,
    json: format.type === 'json_schema' ? { schema: format.schema } : null,
    maxTokens: Number(request.max_tokens),
    capsThinking: true,
    stopSequences: listOf(request.stop_sequences).map(textOf),
    thinking: readThinking(request, model),
    cachedTokens: cacheUse.readTokens,
    cacheWriteTokens: cacheUse.writtenTokens,
    isCachedForAnHour: cacheUse.writtenFor === '1h',
    ...searchesOf(request.tools),
  };
};

/** A tool without `max_uses` has no limit. */
function searchesOf(tools: unknown): Pick<GenerationRequest, 'mostSearches'> {
  const searches = listOf(tools)
    .map(fieldsOf)
    .filter((tool) => textOf(tool.type).startsWith('web_search'));
  if (searches.length === 0) return {};
  const limits = searches.map(({ max_uses: uses }) => (typeof uses === 'number' ? uses : Number.POSITIVE_INFINITY));
  return { mostSearches: limits.reduce((sum, limit) => sum + limit, 0) };
}

/** What the response reports, and what a higher price follows from. */
const termsOf = (request: Fields, { serviceTier, speed, inferenceGeo }: Directives): UsageTerms => {
  const chosenSpeed = speed ?? (request.speed === 'fast' ? 'fast' : undefined);
  return {
    service_tier: serviceTier ?? 'standard',
    inference_geo: inferenceGeo ?? (textOf(request.inference_geo) || 'global'),
    ...(chosenSpeed !== undefined && { speed: chosenSpeed }),
  };
};

const STANDARD_TERMS: ReadonlySet<string> = new Set(['standard', 'global']);
const nonStandardTerms = (terms: UsageTerms): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(terms).filter(([, value]) => !STANDARD_TERMS.has(value)));

const NOTHING: Completion = {
  thinking: '',
  text: '',
  toolCalls: [],
  finish: 'stop',
  stopSequence: null,
  counts: { inputTokens: 0, cachedTokens: 0, cacheWriteTokens: 0, visibleTokens: 0, reasoningTokens: 0 },
};

/** The part of the response that the vendor bills at the answering model; a refusal before any output is free. */
const billedPart = (identity: MessageIdentity, completion: Completion): Completion => {
  if (identity.isRefused) return NOTHING;
  return { ...(hasAnswer(identity) ? completion : NOTHING), counts: identity.work.counts };
};

const identify = (call: AnthropicCall, parsed: GenerationRequest, completion: Completion): MessageIdentity => {
  const { directives, thinking } = parsed;
  const features = readServerFeatures(call, directives, completion.counts.inputTokens);
  return {
    id: `msg_01${newId(22)}`,
    model: call.model.id,
    thinks: thinking !== null,
    hidesUsage: directives.hidesUsage === true,
    isRefused: directives.isBlocked === true && features.fallback === null,
    work: serverWork(call.model.id, completion, features),
    terms: termsOf(call.request, directives),
    managesContext: !isAbsent(call.request.context_management),
  };
};

const handle = (incoming: IncomingRequest, memory: Memory): CompletionReply => {
  const call = readRequest(incoming, false);
  const parsed = generationRequest(call, memory);
  const completion = composeCompletion(parsed);
  if (completion.counts.inputTokens > call.model.contextTokens) {
    throw invalid(`prompt is too long: ${completion.counts.inputTokens} tokens > ${call.model.contextTokens} maximum`);
  }
  const identity = identify(call, parsed, completion);
  const answer = billedPart(identity, completion);
  incoming.record.upstreamId = identity.id;
  incoming.record.model = identity.work.model === call.model.id ? incoming.record.model : identity.work.model;
  incoming.record.apart = identity.work.apart;
  incoming.record.terms = nonStandardTerms(identity.terms);
  return {
    kind: 'completion',
    directives: parsed.directives,
    completion: answer,
    isStream: call.request.stream === true,
    sendsToolCallsWhole: false,
    headers: anthropicHeaders(),
    whole: () => wholeMessage(identity, answer),
    openStream: () => new MessageStream(identity, answer),
  };
};

/** Validated like a real call, so the count equals its cost. */
const count = (incoming: IncomingRequest): FixedReply => {
  const { tally } = readRequest(incoming, true);
  return { kind: 'fixed', headers: anthropicHeaders(), body: JSON.stringify({ input_tokens: inputTokens(tally) }) };
};

export const messagesRoute: Route = { method: 'POST', path: '/v1/messages', protocol: 'anthropic-messages', handle };

export const countTokensRoute: Route = {
  method: 'POST',
  path: '/v1/messages/count_tokens',
  protocol: 'anthropic-count-tokens',
  handle: count,
};
