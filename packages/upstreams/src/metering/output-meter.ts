import { type ChatCompletionRequest, estimateTokens } from '@gateway/contracts';
import { estimateInputTokens } from './estimate-input-tokens.js';
import type { TokenCounts } from './token-counts.js';

/** Counts the bytes of an answer as it arrives: what is billed, flagged as an estimate, if the upstream's count never comes. */
export class OutputMeter {
  #visibleBytes = 0;
  #reasoningBytes = 0;
  readonly #promptTokens: number;

  /** The prompt is estimated once, and not kept. */
  constructor(request: ChatCompletionRequest) {
    this.#promptTokens = estimateInputTokens(request);
  }

  /** Visible text, refusals, names and arguments of tool calls. */
  addText(text: string): void {
    this.#visibleBytes += Buffer.byteLength(text);
  }

  addReasoning(text: string): void {
    this.#reasoningBytes += Buffer.byteLength(text);
  }

  addBytes(visible: number, reasoning: number): void {
    this.#visibleBytes += visible;
    this.#reasoningBytes += reasoning;
  }

  get hasOutput(): boolean {
    return this.#visibleBytes + this.#reasoningBytes > 0;
  }

  /** `known` is what the upstream said of the prompt, if it has. All bytes are summed before the one division. */
  estimate(known?: Omit<TokenCounts, 'completionTokens' | 'reasoningTokens'>): TokenCounts {
    return {
      ...(known ?? { promptTokens: this.#promptTokens, cachedTokens: 0 }),
      completionTokens: estimateTokens(this.#visibleBytes + this.#reasoningBytes),
      reasoningTokens: estimateTokens(this.#reasoningBytes),
    };
  }
}
