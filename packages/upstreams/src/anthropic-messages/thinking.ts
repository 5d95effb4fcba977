import type { ChatModelTraits } from '@gateway/contracts';
import { budgetOf } from '../client-request/choose-effort.js';
import type { InputMessage, MessagesBody, WireToolChoice } from './wire.js';

const MIN_BUDGET_TOKENS = 1_024;

type Thinking = Pick<MessagesBody, 'thinking' | 'output_config'>;

interface Around {
  readonly maxTokens: number;
  readonly messages: readonly InputMessage[];
  readonly toolChoice: WireToolChoice | undefined;
}

/**
 * How the model is told to think for an effort. Thinking is left out where it is refused: with a tool that must be
 * called, with a cap that leaves no budget, and (by budget) after tool calls whose own thoughts the client cannot give back.
 */
export function thinkingOf(effort: string | undefined, traits: ChatModelTraits, around: Around): Thinking {
  if (effort === undefined || effort === 'none') return {};
  const isForced = around.toolChoice?.type === 'any' || around.toolChoice?.type === 'tool';
  if (traits.thinking === 'adaptive') {
    return {
      ...(!isForced && { thinking: { type: 'adaptive', display: 'summarized' } }),
      output_config: { effort },
    };
  }
  const budget = Math.min(budgetOf(effort) ?? 0, around.maxTokens - 1);
  if (traits.thinking !== 'budget' || isForced || budget < MIN_BUDGET_TOKENS || endsInToolResults(around.messages))
    return {};
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

const endsInToolResults = (messages: readonly InputMessage[]): boolean =>
  messages.at(-1)?.content.some(({ type }) => type === 'tool_result') ?? false;
