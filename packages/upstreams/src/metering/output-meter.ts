import { estimateTokens } from '@gateway/contracts';
import type { TokenCounts } from './token-counts.js';

/** Counts the bytes of a response as it arrives. The estimate is billed, and marked as one, if the upstream sends no counts. */
export class OutputMeter {
  #visibleBytes = 0;
  #reasoningBytes = 0;

  /** `promptTokens`: an estimate, so that the request can be freed. */
  constructor(private readonly promptTokens: number) {}

  /** Adds visible text, a refusal, or the name or arguments of a tool call. */
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

  /** `known`: the upstream's prompt counts, if they arrived. Divides the sum of all bytes once. */
  estimate(known?: Omit<TokenCounts, 'completionTokens' | 'reasoningTokens'>): TokenCounts {
    return {
      ...(known ?? { promptTokens: this.promptTokens, cachedTokens: 0 }),
      completionTokens: estimateTokens(this.#visibleBytes + this.#reasoningBytes),
      reasoningTokens: estimateTokens(this.#reasoningBytes),
    };
  }
}
