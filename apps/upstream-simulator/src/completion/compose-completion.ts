import { firstQuarters, quartersOf } from '../count/quarters.js';
import {
  inputTokens,
  type PromptTally,
  QUARTERS_PER_TOKEN,
  type TokenCounts,
  tokensOfQuarters,
} from '../count/tokens.js';
import { type Directives, stripDirectives } from '../directives/directives.js';
import type { Completion, Finish, ToolCall, ToolChoice, ToolSpec } from './completion.js';
import { fitSchema } from './fit-schema.js';
import { schemaIn } from './schema-in-prompt.js';
import { fillerOfBytes, fillerOfScript, fillerOfWords, plainText } from './text.js';
import { isTranscriptSchema, transcriptOf } from './transcript.js';

const SAYS_TOOL = /\btools?\b/i;
const WORD = /\p{L}{4,}/gu;

/** A question with a word of a tool's name, such as "What's the weather?" for `get_weather`. */
const isQuestionFor = (text: string, tools: readonly ToolSpec[]): boolean => {
  if (!text.trimEnd().endsWith('?')) return false;
  const asked: ReadonlySet<string> = new Set(text.toLowerCase().match(WORD));
  return tools.some(
    ({ name }) =>
      name
        .toLowerCase()
        .match(WORD)
        ?.some((word) => asked.has(word)) === true,
  );
};

export interface ToolOffer {
  readonly tools: readonly ToolSpec[];
  readonly choice: ToolChoice;
  readonly allowsParallel: boolean;
  /** The prompt ends with a tool result: the model responds with text, unless the request requires a call. */
  readonly hasResult: boolean;
  readonly lastUserText: string;
}

const shouldCallTool = (offer: ToolOffer, directives: Directives): boolean => {
  if (offer.tools.length === 0 || offer.choice === 'none') return false;
  if (offer.choice !== 'auto') return true;
  if (offer.hasResult) return false;
  if (directives.tool !== undefined || directives.tools !== undefined) return true;
  const text = stripDirectives(offer.lastUserText);
  return SAYS_TOOL.test(text) || isQuestionFor(text, offer.tools);
};

/** After a result the last tool is called: agents that require a call in each turn end their list with the one for the answer. */
const candidatesOf = ({ tools, choice, hasResult }: ToolOffer, directives: Directives): readonly ToolSpec[] => {
  if (typeof choice !== 'object' && hasResult) return tools.slice(-1);
  const name = typeof choice === 'object' ? choice.name : directives.tool;
  return name === undefined ? tools : tools.filter((tool) => tool.name === name);
};

/** Empty if the model responds with text. */
const chooseTools = (offer: ToolOffer, directives: Directives): ToolCall[] => {
  if (!shouldCallTool(offer, directives)) return [];
  const { tools: wanted = 1 } = offer.hasResult ? {} : directives;
  const candidates = candidatesOf(offer, directives);
  const count = candidates.length === 0 ? 0 : offer.allowsParallel ? wanted : 1;
  return Array.from({ length: count }).flatMap((_, at) => {
    const tool = candidates[at % candidates.length];
    return tool === undefined ? [] : [callOf(tool, at + 1)];
  });
};

const callOf = ({ name, schema, isFreeForm }: ToolSpec, number: number): ToolCall =>
  isFreeForm === true
    ? { name, argumentsJson: `Input ${number} of “${name}”`, isFreeForm }
    : { name, argumentsJson: JSON.stringify(fitSchema(schema, number)) };

const DEFAULT_CHUNK_BYTES = 16;

/** A request in vendor-neutral terms. */
export interface GenerationRequest {
  readonly tally: PromptTally;
  readonly directives: Directives;
  readonly tools: readonly ToolSpec[];
  readonly toolChoice: ToolChoice;
  readonly allowsParallelTools: boolean;
  /** JSON mode, with or without a schema. `isPlainText`: a value that is a text comes without quotes. */
  readonly json: { readonly schema?: unknown; readonly isPlainText?: boolean } | null;
  readonly maxTokens: number | undefined;
  /** True if thinking counts towards `maxTokens`. */
  readonly capsThinking: boolean;
  readonly stopSequences: readonly string[];
  /** Null: no thinking in this call. */
  readonly thinking: {
    readonly isShown: boolean;
    readonly defaultTokens: number;
    /** The most that the model may think; default: no limit of its own. */
    readonly maxTokens?: number;
  } | null;
  readonly cachedTokens?: number;
  readonly cacheWriteTokens?: number;
  /** The cache write lives for an hour. */
  readonly isCachedForAnHour?: boolean;
  /** Server-side searches that the request allows. */
  readonly mostSearches?: number;
}

/** Follows the given schema, else one in the prompt. */
const jsonFor = (tally: PromptTally, given?: unknown): string => {
  const schema = given ?? schemaIn(tally.schemaText);
  if (tally.audios > 0 && isTranscriptSchema(schema)) return transcriptOf(plainText(tally));
  return JSON.stringify(schema === undefined ? { answer: plainText(tally) } : fitSchema(schema));
};

/** At most one quarter more than fits: a longer text would only be built to be cut. */
const textFor = (request: GenerationRequest, maxQuarters: number): string => {
  if (request.json !== null) {
    const json = jsonFor(request.tally, request.json.schema);
    return request.json.isPlainText === true ? String(JSON.parse(json)) : json;
  }
  const { completionTokens, words, script, chunks, chunkBytes } = request.directives;
  const within = (bytes: number): number => Math.min(bytes, maxQuarters + 1);
  if (script !== undefined) return fillerOfScript(script, within((chunks ?? 1) * (chunkBytes ?? DEFAULT_CHUNK_BYTES)));
  if (completionTokens !== undefined) return fillerOfBytes(within(completionTokens * QUARTERS_PER_TOKEN));
  if (words !== undefined) return fillerOfWords(within(words));
  if (chunks !== undefined) return fillerOfBytes(within(chunks * (chunkBytes ?? DEFAULT_CHUNK_BYTES)));
  return request.tally.requestsJson ? jsonFor(request.tally) : plainText(request.tally);
};

type Ended = Readonly<{ text: string; finish: Finish; stopSequence: string | null }>;

const atFirstStop = (text: string, stopSequences: readonly string[]): Ended => {
  let ended: Ended = { text, finish: 'stop', stopSequence: null };
  for (const stopSequence of stopSequences) {
    const at = stopSequence === '' ? -1 : ended.text.indexOf(stopSequence);
    if (at >= 0) ended = { text: ended.text.slice(0, at), finish: 'stop_sequence', stopSequence };
  }
  return ended;
};

const capped = (ended: Ended, maxQuarters: number): Ended =>
  quartersOf(ended.text) > maxQuarters
    ? { text: firstQuarters(ended.text, maxQuarters), finish: 'length', stopSequence: null }
    : ended;

/** Whole calls only: partial JSON is useless. */
const callsWithin = (calls: readonly ToolCall[], maxQuarters: number): ToolCall[] => {
  let quarters = 0;
  return calls.filter((call) => {
    quarters += quartersOf(call.argumentsJson);
    return quarters <= maxQuarters;
  });
};

const inputCounts = (request: GenerationRequest) => {
  const total = request.directives.promptTokens ?? inputTokens(request.tally);
  const cachedTokens = Math.min(request.directives.cachedTokens ?? request.cachedTokens ?? 0, total);
  const cacheWriteTokens = Math.min(request.cacheWriteTokens ?? 0, total - cachedTokens);
  return {
    inputTokens: total,
    cachedTokens,
    cacheWriteTokens,
    ...(request.isCachedForAnHour === true ? { cacheWrite1hTokens: cacheWriteTokens } : {}),
    ...(request.mostSearches === undefined
      ? {}
      : { webSearches: Math.min(request.directives.searches ?? 0, request.mostSearches) }),
  };
};

const visibleQuarters = (text: string, calls: readonly ToolCall[]): number =>
  calls.reduce((quarters, call) => quarters + quartersOf(call.argumentsJson), quartersOf(text));

const thinkingTokens = ({ thinking, directives, capsThinking }: GenerationRequest, maxTokens: number): number => {
  if (thinking === null) return 0;
  const wanted = directives.reasoningTokens ?? thinking.defaultTokens;
  return Math.min(wanted, thinking.maxTokens ?? wanted, capsThinking ? maxTokens : wanted);
};

/** A deterministic model that respects all limits. */
export const composeCompletion = (request: GenerationRequest): Completion => {
  const maxTokens = request.maxTokens ?? Number.POSITIVE_INFINITY;
  const reasoningTokens = thinkingTokens(request, maxTokens);
  const maxQuarters = (request.capsThinking ? maxTokens - reasoningTokens : maxTokens) * QUARTERS_PER_TOKEN;

  const calls = chooseTools(
    {
      tools: request.tools,
      choice: request.toolChoice,
      allowsParallel: request.allowsParallelTools,
      hasResult: request.tally.toolResults.length > 0,
      lastUserText: request.tally.lastUserText,
    },
    request.directives,
  );
  const toolCalls = callsWithin(calls, maxQuarters);
  const ended: Ended =
    calls.length > 0
      ? { text: '', finish: toolCalls.length === calls.length ? 'tool_calls' : 'length', stopSequence: null }
      : capped(atFirstStop(textFor(request, maxQuarters), request.stopSequences), maxQuarters);
  const counts: TokenCounts = {
    ...inputCounts(request),
    visibleTokens: tokensOfQuarters(visibleQuarters(ended.text, toolCalls)),
    reasoningTokens,
  };
  const thinking = request.thinking?.isShown === true ? fillerOfBytes(reasoningTokens * QUARTERS_PER_TOKEN) : '';
  return { thinking, ...ended, toolCalls, counts };
};
