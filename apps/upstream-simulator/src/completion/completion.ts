import type { TokenCounts } from '../count/tokens.js';

export interface ToolSpec {
  readonly name: string;
  /** JSON schema of the arguments. */
  readonly schema: unknown;
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

export interface ToolCall {
  readonly name: string;
  /** JSON without insignificant spaces. */
  readonly argumentsJson: string;
}

export type Finish = 'stop' | 'length' | 'tool_calls' | 'stop_sequence';

/** What the model says, before a vendor's protocol gives it a shape. */
export interface Completion {
  /** Thinking that the client gets to see; hidden thinking is only in `counts`. */
  readonly thinking: string;
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finish: Finish;
  /** The stop sequence that ended the text. */
  readonly stopSequence: string | null;
  readonly counts: TokenCounts;
}
