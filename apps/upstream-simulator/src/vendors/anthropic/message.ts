import { createHmac } from 'node:crypto';
import type { Completion } from '../../completion/completion.js';
import { outputTokensOf, type TokenCounts } from '../../count/tokens.js';
import { newId } from '../vendor-ids.js';
import type { ServerWork } from './server-work.js';

const SECRET = 'simulated-anthropic';

/** Signs a thinking block; a changed block is refused when it comes back. */
export const signThinking = (thinking: string): string =>
  createHmac('sha256', SECRET).update(thinking).digest('base64');

/** An omitted block returns as an empty text with its signature. */
export const isSigned = (thinking: string, signature: string): boolean => signThinking(thinking) === signature;

/** Server-side searches: a call and its result each. */
export const searchBlocks = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => {
    const id = `srvtoolu_01${newId(22)}`;
    const found = {
      type: 'web_search_result',
      title: `Result ${at + 1}`,
      url: `https://example.com/${at + 1}`,
      encrypted_content: Buffer.from(`result ${at + 1}`).toString('base64'),
      page_age: null,
    };
    return [
      { type: 'server_tool_use', id, name: 'web_search', input: { query: `query ${at + 1}` } },
      { type: 'web_search_tool_result', tool_use_id: id, content: [found] },
    ];
  }).flat();

/** Terms of service that a response reports beside its counts. */
export type UsageTerms = Readonly<{ service_tier: string; inference_geo: string; speed?: string }>;

export interface MessageIdentity {
  readonly id: string;
  /** The model of the request; a fallback answers as another one. */
  readonly model: string;
  readonly thinks: boolean;
  readonly hidesUsage: boolean;
  /** The vendor declined, and no fallback answers. */
  readonly isRefused: boolean;
  readonly work: ServerWork;
  readonly terms: UsageTerms;
  /** The request has `context_management`. */
  readonly managesContext: boolean;
}

const STOP_REASONS = {
  stop: 'end_turn',
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  tool_calls: 'tool_use',
} as const;

export const stopReason = ({ isRefused, work }: MessageIdentity, completion: Completion): string =>
  isRefused ? 'refusal' : work.isPaused ? 'compaction' : STOP_REASONS[completion.finish];

const REFUSAL = { type: 'refusal', category: 'cyber', explanation: 'This request was declined by policy.' };
export const stopDetails = ({ isRefused }: MessageIdentity) => (isRefused ? REFUSAL : null);

/** Fields of the last event that most responses lack. */
export const lastFields = ({ work, managesContext }: MessageIdentity) => ({
  ...(work.container !== null && { container: work.container }),
  ...(managesContext && { context_management: { applied_edits: [] } }),
});

/** Nothing follows the vendor's own blocks in a turn that is declined or paused. */
export const hasAnswer = ({ isRefused, work }: MessageIdentity): boolean => !isRefused && !work.isPaused;
export const newToolUseId = (): string => `toolu_01${newId(22)}`;

/** `input_tokens` excludes cache reads and writes. */
export const inputUsage = (counts: TokenCounts) => ({
  input_tokens: counts.inputTokens - counts.cachedTokens - counts.cacheWriteTokens,
  cache_creation_input_tokens: counts.cacheWriteTokens,
  cache_read_input_tokens: counts.cachedTokens,
});

export const startUsage = (identity: MessageIdentity, counts: TokenCounts) => ({
  ...inputUsage(counts),
  cache_creation: {
    ephemeral_5m_input_tokens: counts.cacheWriteTokens - (counts.cacheWrite1hTokens ?? 0),
    ephemeral_1h_input_tokens: counts.cacheWrite1hTokens ?? 0,
  },
  output_tokens: 1,
  ...identity.terms,
});

/** `output_tokens` includes thinking, shown or not. */
export const outputUsage = (identity: MessageIdentity, counts: TokenCounts) => ({
  output_tokens: outputTokensOf(counts),
  ...(identity.thinks ? { output_tokens_details: { thinking_tokens: counts.reasoningTokens } } : {}),
  ...(counts.webSearches
    ? { server_tool_use: { web_search_requests: counts.webSearches, web_fetch_requests: 0 } }
    : {}),
  ...(identity.work.iterations !== null && { iterations: identity.work.iterations }),
});

const contentOf = (identity: MessageIdentity, completion: Completion): object[] => [
  ...identity.work.blocks,
  ...(hasAnswer(identity) ? answerOf(identity, completion) : []),
];

const answerOf = (identity: MessageIdentity, completion: Completion): object[] => [
  ...(identity.thinks
    ? [{ type: 'thinking', thinking: completion.thinking, signature: signThinking(completion.thinking) }]
    : []),
  ...searchBlocks(completion.counts.webSearches ?? 0),
  ...(completion.text === '' ? [] : [{ type: 'text', text: completion.text }]),
  ...completion.toolCalls.map((call) => ({
    type: 'tool_use',
    id: newToolUseId(),
    name: call.name,
    input: JSON.parse(call.argumentsJson) as unknown,
  })),
];

export const wholeMessage = (identity: MessageIdentity, completion: Completion): string =>
  JSON.stringify({
    model: identity.work.model,
    id: identity.id,
    type: 'message',
    role: 'assistant',
    content: contentOf(identity, completion),
    stop_reason: stopReason(identity, completion),
    stop_sequence: completion.stopSequence,
    stop_details: stopDetails(identity),
    ...lastFields(identity),
    ...(identity.hidesUsage
      ? {}
      : { usage: { ...startUsage(identity, identity.work.counts), ...outputUsage(identity, identity.work.counts) } }),
  });
