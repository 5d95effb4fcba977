import { createHmac } from 'node:crypto';
import type { Completion } from '../../completion/completion.js';
import type { TokenCounts } from '../../count/tokens.js';
import { newId } from '../vendor-ids.js';

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

export type MessageIdentity = Readonly<{ id: string; model: string; thinks: boolean; hidesUsage: boolean }>;

const STOP_REASONS = {
  stop: 'end_turn',
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  tool_calls: 'tool_use',
} as const;

export const stopReason = (completion: Completion): string => STOP_REASONS[completion.finish];
export const newToolUseId = (): string => `toolu_01${newId(22)}`;

/** `input_tokens` excludes cache reads and writes. */
export const inputUsage = (counts: TokenCounts) => ({
  input_tokens: counts.inputTokens - counts.cachedTokens - counts.cacheWriteTokens,
  cache_creation_input_tokens: counts.cacheWriteTokens,
  cache_read_input_tokens: counts.cachedTokens,
});

export const startUsage = (counts: TokenCounts) => ({
  ...inputUsage(counts),
  cache_creation: {
    ephemeral_5m_input_tokens: counts.cacheWriteTokens - (counts.cacheWrite1hTokens ?? 0),
    ephemeral_1h_input_tokens: counts.cacheWrite1hTokens ?? 0,
  },
  output_tokens: 1,
  service_tier: 'standard',
  inference_geo: 'global',
});

/** `output_tokens` includes thinking, shown or not. */
export const outputUsage = (identity: MessageIdentity, counts: TokenCounts) => ({
  output_tokens: counts.visibleTokens + counts.reasoningTokens,
  ...(identity.thinks ? { output_tokens_details: { thinking_tokens: counts.reasoningTokens } } : {}),
  ...(counts.webSearches ? { server_tool_use: { web_search_requests: counts.webSearches } } : {}),
});

const contentOf = (identity: MessageIdentity, completion: Completion): object[] => [
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
    model: identity.model,
    id: identity.id,
    type: 'message',
    role: 'assistant',
    content: contentOf(identity, completion),
    stop_reason: stopReason(completion),
    stop_sequence: completion.stopSequence,
    stop_details: null,
    ...(identity.hidesUsage
      ? {}
      : { usage: { ...startUsage(completion.counts), ...outputUsage(identity, completion.counts) } }),
  });
