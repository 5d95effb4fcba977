import { estimateTokens, textSize } from '@gateway/contracts';
import type { TokenCounts } from './token-counts.js';

/** Measures a response as it arrives. The estimate is billed, and marked as one, if the upstream sends no counts. */
export class OutputMeter {
  #visibleSize = 0;
  #reasoningSize = 0;

  /** `promptTokens`: an estimate, so that the request can be freed. */
  constructor(private readonly promptTokens: number) {}

  /** Adds visible text, a refusal, or the name or arguments of a tool call. */
  addText(text: string): void {
    this.#visibleSize += textSize(text);
  }

  addReasoning(text: string): void {
    this.#reasoningSize += textSize(text);
  }

  /** Adds texts that were measured where they stand. */
  addSizes(visible: number, reasoning: number): void {
    this.#visibleSize += visible;
    this.#reasoningSize += reasoning;
  }

  get hasOutput(): boolean {
    return this.#visibleSize + this.#reasoningSize > 0;
  }

  /** `known`: the upstream's prompt counts, if they arrived. Rounds the sum of all texts once. */
  estimate(known?: Omit<TokenCounts, 'completionTokens' | 'reasoningTokens'>): TokenCounts {
    return {
      ...(known ?? { promptTokens: this.promptTokens, cachedTokens: 0 }),
      completionTokens: estimateTokens(this.#visibleSize + this.#reasoningSize),
      reasoningTokens: estimateTokens(this.#reasoningSize),
    };
  }
}
