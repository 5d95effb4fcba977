import type { Chunk } from '../../completion/chunks.js';
import type { Completion, ToolCall } from '../../completion/completion.js';
import { AUDIO_TOKENS, IMAGE_TOKENS, type PromptContents, tokensOfQuarters, VIDEO_TOKENS } from '../../count/tokens.js';
import type { StreamScript } from '../vendor-emulator.js';
import { SIGNATURE } from './thought-signature.js';

export interface ContentIdentity {
  readonly responseId: string;
  readonly modelVersion: string;
  readonly hidesUsage: boolean;
  readonly prompt: PromptContents;
}

const promptDetails = (prompt: PromptContents): object[] =>
  [
    { modality: 'TEXT', tokenCount: tokensOfQuarters(prompt.textQuarters) },
    { modality: 'IMAGE', tokenCount: prompt.images * IMAGE_TOKENS },
    { modality: 'AUDIO', tokenCount: prompt.audios * AUDIO_TOKENS },
    { modality: 'VIDEO', tokenCount: prompt.videos * VIDEO_TOKENS },
  ].filter((detail) => detail.tokenCount > 0);

/** `candidatesTokenCount` excludes thoughts; the total includes them. `promptTokenCount` includes cached tokens. */
const usageMetadata = ({ counts }: Completion, prompt: PromptContents, candidateTokens: number) => ({
  promptTokenCount: counts.inputTokens,
  candidatesTokenCount: candidateTokens,
  totalTokenCount: counts.inputTokens + candidateTokens + counts.reasoningTokens,
  ...(counts.cachedTokens > 0 ? { cachedContentTokenCount: counts.cachedTokens } : {}),
  promptTokensDetails: promptDetails(prompt),
  ...(counts.reasoningTokens > 0 ? { thoughtsTokenCount: counts.reasoningTokens } : {}),
});

const finishReason = (completion: Completion): 'STOP' | 'MAX_TOKENS' =>
  completion.finish === 'length' ? 'MAX_TOKENS' : 'STOP';

/** Only the first call is signed. */
const callPart = (call: ToolCall | undefined, isFirst: boolean): object => ({
  functionCall: { name: call?.name, args: JSON.parse(call?.argumentsJson ?? '{}') as unknown },
  ...(isFirst ? { thoughtSignature: SIGNATURE } : {}),
});

export const wholeContent = (identity: ContentIdentity, completion: Completion): string => {
  const parts = [
    ...(completion.thinking === '' ? [] : [{ text: completion.thinking, thought: true }]),
    ...(completion.text === '' ? [] : [{ text: completion.text }]),
    ...completion.toolCalls.map((call, at) => callPart(call, at === 0)),
  ];
  return JSON.stringify({
    candidates: [
      {
        content: { ...(parts.length > 0 ? { parts } : {}), role: 'model' },
        finishReason: finishReason(completion),
        index: 0,
        ...(completion.toolCalls.length > 0 ? { finishMessage: 'Model generated function call(s).' } : {}),
      },
    ],
    ...(identity.hidesUsage
      ? {}
      : { usageMetadata: usageMetadata(completion, identity.prompt, completion.counts.visibleTokens) }),
    modelVersion: identity.modelVersion,
    responseId: identity.responseId,
  });
};

const INTERNAL_ERROR =
  'data: {"error":{"code":500,"message":"An internal error has occurred.","status":"INTERNAL"}}\n\n';

const COUNT = '@count@';
const TOTAL = '@total@';

/** `GenerateContentResponse` chunks: each has the usage so far, the last has the finish reason. */
export class ContentStream implements StreamScript {
  /** Pre-encoded: only two of its numbers change. */
  readonly #usage: readonly string[];
  readonly #tail: string;
  #visibleQuarters = 0;

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
        this.#visibleQuarters += chunk.quarters;
        return this.#frame(`{"text":${JSON.stringify(chunk.text)}}`, '');
      case 'tool':
        this.#visibleQuarters += chunk.quarters;
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
    const candidateTokens = tokensOfQuarters(this.#visibleQuarters);
    return `${before}${candidateTokens}${between}${inputTokens + candidateTokens + reasoningTokens}${after}`;
  }
}
