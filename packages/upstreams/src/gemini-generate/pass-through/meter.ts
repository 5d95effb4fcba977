import { camelFields, estimateTokens, measureContents, textSize, type Usage } from '@gateway/contracts';
import { stringifyUpstreamJson } from '../../failures/malformed-response.js';
import { estimateContentTokens } from '../../metering/estimate-input-tokens.js';
import { estimatedUsageOf, type TokenCounts, usageOf } from '../../metering/token-counts.js';
import { readPromptCounts, readUsageMetadata } from '../usage.js';
import type { GenerateReply } from '../wire.js';

type Fields = Readonly<Record<string, unknown>>;

/** Meters one response in the native format: by the vendor's counts, and until they arrive by an estimate. */
export class GenerateMeter {
  readonly #promptTokens: number;
  /** How many candidates the client asked for. */
  readonly candidates: number;
  #outputSize = 0;
  #thoughtSize = 0;
  /** Last `usageMetadata`, unvalidated. */
  #metadata: unknown;

  /** Measures the prompt at once, so that the request can be freed. */
  constructor(body: Buffer) {
    const request = JSON.parse(body.toString('utf8')) as Fields;
    this.#promptTokens = estimateContentTokens(measureContents(request));
    const { candidateCount } = camelFields(camelFields(request).generationConfig);
    this.candidates = typeof candidateCount === 'number' ? candidateCount : 1;
  }

  get hasCounts(): boolean {
    return this.#reported() !== undefined;
  }

  /** Adds one event, or a whole response. */
  add({ candidates, usageMetadata }: GenerateReply): void {
    if (usageMetadata != null) this.#metadata = usageMetadata;
    for (const candidate of candidates ?? []) {
      for (const { text = '', thought, thoughtSignature: _, ...others } of candidate.content?.parts ?? []) {
        const size = textSize(text) + sizeOf(others);
        if (thought === true) this.#thoughtSize += size;
        else this.#outputSize += size;
      }
    }
  }

  /** For a cut response, the vendor's last counts are the better estimate: they include hidden thoughts. */
  usage(isComplete: boolean): Usage {
    const counts = this.#reported();
    if (counts !== undefined && isComplete) return usageOf(counts, false);
    const prompt = readPromptCounts(this.#metadata);
    return estimatedUsageOf(counts ?? this.#estimate(prompt), prompt);
  }

  #reported(): TokenCounts | undefined {
    return readUsageMetadata(this.#metadata, this.#outputSize + this.#thoughtSize > 0);
  }

  #estimate(prompt: ReturnType<typeof readPromptCounts>): TokenCounts {
    return {
      ...(prompt ?? { promptTokens: this.#promptTokens, cachedTokens: 0 }),
      completionTokens: estimateTokens(this.#outputSize + this.#thoughtSize),
      reasoningTokens: estimateTokens(this.#thoughtSize),
    };
  }
}

const sizeOf = (fields: object): number =>
  Object.keys(fields).length === 0 ? 0 : textSize(stringifyUpstreamJson(fields));
