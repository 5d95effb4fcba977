import type { TokenCounts } from '../count/tokens.js';

/** A free-form tool takes a text instead of JSON by a schema. */
export type ToolSpec = Readonly<{ name: string; schema: unknown; isFreeForm?: true }>;
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

export interface ToolCall {
  readonly name: string;
  /** Compact JSON; the text of a free-form tool. */
  readonly argumentsJson: string;
  readonly isFreeForm?: true;
}

export type Finish = 'stop' | 'length' | 'tool_calls' | 'stop_sequence';

/** A model's output, before a vendor encodes it. */
export interface Completion {
  /** Visible thinking; hidden thinking is in `counts` only. */
  readonly thinking: string;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finish: Finish;
  readonly stopSequence: string | null;
  readonly counts: TokenCounts;
}
