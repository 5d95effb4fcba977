import type { Answer } from '../../answer/answer.js';
import type { Piece } from '../../answer/pieces.js';
import { tokensOfBytes } from '../../count/tokens.js';
import type { StreamScript } from '../persona.js';
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
    private readonly answer: Answer,
  ) {
    const metadata = {
      ...usageMetadata(answer, identity.prompt, 0),
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

  chunk(piece: Piece): string {
    switch (piece.kind) {
      case 'thinking':
        return this.#frame(`{"text":${JSON.stringify(piece.text)},"thought":true}`, '');
      case 'text':
        this.#visibleBytes += piece.bytes;
        return this.#frame(`{"text":${JSON.stringify(piece.text)}}`, '');
      case 'tool':
        this.#visibleBytes += piece.bytes;
        return this.#frame(JSON.stringify(callPart(this.answer.toolCalls[piece.tool], piece.tool === 0)), '');
    }
  }

  close(): string {
    return this.#frame('{"text":""}', `,"finishReason":"${finishReason(this.answer)}"`);
  }

  fail(): string {
    return INTERNAL_ERROR;
  }

  #frame(part: string, finish: string): string {
    return `data: {"candidates":[{"content":{"parts":[${part}],"role":"model"}${finish},"index":0}]${this.#usageNow()}${this.#tail}`;
  }

  #usageNow(): string {
    const [before, between, after] = this.#usage;
    if (before === undefined) {
      return '';
    }
    const { inputTokens, reasoningTokens } = this.answer.counts;
    const candidateTokens = tokensOfBytes(this.#visibleBytes);
    return `${before}${candidateTokens}${between}${inputTokens + candidateTokens + reasoningTokens}${after}`;
  }
}

export const contentStream = (identity: ContentIdentity, answer: Answer): StreamScript =>
  new ContentStream(identity, answer);
