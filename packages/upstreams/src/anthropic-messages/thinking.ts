import type { ChatModelTraits } from '@gateway/contracts';
import { budgetOf } from '../client-request/choose-effort.js';
import type { InputMessage, MessagesBody, WireToolChoice } from './wire.js';

/** Documented minimum of `budget_tokens`. */
const MIN_BUDGET_TOKENS = 1_024;

type Thinking = Pick<MessagesBody, 'thinking' | 'output_config'>;

interface RequestContext {
  readonly maxTokens: number;
  readonly messages: readonly InputMessage[];
  readonly toolChoice: WireToolChoice | undefined;
}

/**
 * Builds `thinking` and `output_config.effort`: platform.claude.com/docs/en/build-with-claude/extended-thinking.
 * Omits `thinking` where the upstream rejects it: with a forced tool, or with `max_tokens` below the minimum budget. Budget
 * models also reject it after tool calls whose thinking the client did not return.
 */
export function thinkingOf(effort: string | undefined, traits: ChatModelTraits, context: RequestContext): Thinking {
  if (effort === undefined || effort === 'none') return {};
  const isForced = context.toolChoice?.type === 'any' || context.toolChoice?.type === 'tool';
  if (traits.thinking === 'adaptive') {
    return {
      ...(!isForced && { thinking: { type: 'adaptive', display: 'summarized' } }),
      output_config: { effort },
    };
  }
  const budget = Math.min(budgetOf(effort) ?? 0, context.maxTokens - 1);
  if (traits.thinking !== 'budget' || isForced || budget < MIN_BUDGET_TOKENS || lacksThinking(context.messages))
    return {};
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

/** True of results of tool calls that came with thinking, which is not there any more. */
function lacksThinking(messages: readonly InputMessage[]): boolean {
  if (messages.at(-1)?.content.some(({ type }) => type === 'tool_result') !== true) return false;
  const [first] = messages.at(-2)?.content ?? [];
  return first?.type !== 'thinking' && first?.type !== 'redacted_thinking';
}
