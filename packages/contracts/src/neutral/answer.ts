import type {
  Citation,
  MediaPart,
  ReasoningPart,
  RefusalPart,
  TextPart,
  ToolCallPart,
  ToolKind,
  VendorData,
  VendorPart,
} from './parts.js';

/** Tokens of one upstream call, in one form for all protocols. */
export interface TokenCounts {
  /** Complete prompt, including cached, cache-written and audio tokens. */
  readonly promptTokens: number;
  readonly cachedTokens: number;
  /** Written to the five-minute cache. Undefined if the upstream reports no such count. */
  readonly cacheWriteTokens?: number | undefined;
  readonly cacheWrite1hTokens?: number;
  /** Uncached audio tokens, for models with a separate audio price. */
  readonly audioInputTokens?: number;
  /** All audio tokens of the prompt. Clients see them; they have no price of their own. */
  readonly audioTokens?: number;
  /** Complete output, including reasoning. */
  readonly completionTokens: number;
  readonly reasoningTokens: number;
  /** Fields of the reported usage that may be billed and have no price here. */
  readonly unpriced?: readonly string[];
}

/** `filtered`: refused or blocked. */
export type NeutralFinish = 'stop' | 'length' | 'tool-calls' | 'filtered';

export type AnswerPart = TextPart | MediaPart | ReasoningPart | ToolCallPart | RefusalPart | VendorPart;

/** A complete answer, its parts in the order of the upstream. */
export interface NeutralAnswer {
  /** The upstream's id, without a prefix of ours. */
  readonly id?: string | undefined;
  /** Unix seconds, if the upstream sent them. */
  readonly createdSeconds?: number | undefined;
  readonly content: readonly AnswerPart[];
  readonly finish: NeutralFinish;
  /** The sequence that stopped the model, if the upstream names it. */
  readonly stopSequence?: string | undefined;
  readonly counts: TokenCounts;
}

/**
 * One event of an answer. A block is one part of the answer; blocks are numbered from 0 as they begin. Text, reasoning and
 * refusals begin with their first delta, tool calls with `tool-call`. Each block ends once, before `finish`. An upstream that
 * mixes the arguments of several calls may send some after the end of their block.
 */
export type StreamPart =
  | { readonly type: 'text'; readonly block: number; readonly delta: string }
  | { readonly type: 'reasoning'; readonly block: number; readonly delta: string }
  | { readonly type: 'refusal'; readonly block: number; readonly delta: string }
  | { readonly type: 'citation'; readonly block: number; readonly citation: Citation }
  | {
      readonly type: 'tool-call';
      readonly block: number;
      readonly id: string;
      readonly name: string;
      readonly kind: ToolKind;
      readonly vendor?: VendorData | undefined;
    }
  | { readonly type: 'tool-input'; readonly block: number; readonly delta: string }
  /** A whole block at once. */
  | { readonly type: 'part'; readonly block: number; readonly part: MediaPart | VendorPart }
  /** `vendor`: data of a reasoning block, which must return with it. Reasoning without any text has only this event. */
  | { readonly type: 'end'; readonly block: number; readonly of: BlockKind; readonly vendor?: VendorData | undefined }
  | { readonly type: 'finish'; readonly reason: NeutralFinish; readonly stopSequence?: string | undefined };

export type BlockKind = 'text' | 'reasoning' | 'refusal' | 'tool-call';
