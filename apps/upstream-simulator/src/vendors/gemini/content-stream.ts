import type { Chunk } from '../../completion/chunks.js';
import type { Completion } from '../../completion/completion.js';
import { tokensOfBytes } from '../../count/tokens.js';
import type { StreamScript } from '../vendor-emulator.js';
import { type ContentIdentity, callPart, finishReason, usageMetadata } from './generate-content.js';

const INTERNAL_ERROR =
  'data: {"error":{"code":500,"message":"An internal error has occurred.","status":"INTERNAL"}}\n\n';

const COUNT = '@count@';
const TOTAL = '@total@';

/** Chunks of `GenerateContentResponse`, each with the usage up to it; the last one carries the finish. */
class ContentStream implements StreamScript {
  /** Usage is most of a chunk and changes in two numbers only. */
  readonly #usage: readonly string[];
  readonly #tail: string;
  #visibleBytes = 0;

  constructor(
    identity: ContentIdentity,
    private readonly completion: Completion,
  ) {
    const metadata = {
      ...usageMetadata(completion, identity.prompt, 0),
      candidatesTokenCount: COUNT,
      totalTokenCount: TOTAL,
    };
    this.#usage = identity.hidesUsage
      ? []
      : `,"usageMetadata":${JSON.stringify(metadata)}`.split(new RegExp(`"${COUNT}"|"${TOTAL}"`));
    this.#tail = `,"modelVersion":"${identity.modelVersion}","responseId":"${identity.responseId}"}\n\n`;
  }

  open(): string {
    return '';
  }

  chunk(chunk: Chunk): string {
    switch (chunk.kind) {
      case 'thinking':
        return this.#frame(`{"text":${JSON.stringify(chunk.text)},"thought":true}`, '');
      case 'text':
        this.#visibleBytes += chunk.bytes;
        return this.#frame(`{"text":${JSON.stringify(chunk.text)}}`, '');
      case 'tool':
        this.#visibleBytes += chunk.bytes;
        return this.#frame(JSON.stringify(callPart(this.completion.toolCalls[chunk.tool], chunk.tool === 0)), '');
    }
  }

  close(): string {
    return this.#frame('{"text":""}', `,"finishReason":"${finishReason(this.completion)}"`);
  }

  fail(): string {
    return INTERNAL_ERROR;
  }

  #frame(part: string, finish: string): string {
    return `data: {"candidates":[{"content":{"parts":[${part}],"role":"model"}${finish},"index":0}]${this.#usageNow()}${this.#tail}`;
  }

  #usageNow(): string {
    const [before, between, after] = this.#usage;
    if (before === undefined) return '';
    const { inputTokens, reasoningTokens } = this.completion.counts;
    const candidateTokens = tokensOfBytes(this.#visibleBytes);
    return `${before}${candidateTokens}${between}${inputTokens + candidateTokens + reasoningTokens}${after}`;
  }
}

export const contentStream = (identity: ContentIdentity, completion: Completion): StreamScript =>
  new ContentStream(identity, completion);
