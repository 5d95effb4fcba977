import type { ChatProtocolId } from '../models/chat-model-traits.js';

/*
 * The neutral form of a conversation. Each client dialect decodes to it, and each upstream protocol encodes from it, so that
 * no file knows a pair of them. A pair of the same format never builds it: its bytes pass.
 */

/** The formats that clients speak; each has a folder in `packages/dialects`. */
export const DIALECT_IDS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini-generate'] as const;
export type DialectId = (typeof DIALECT_IDS)[number];

/**
 * Data that only one upstream protocol can read, such as a signature of reasoning. A client returns it with the next turn.
 * Another protocol must not send it.
 */
export interface VendorData {
  readonly protocol: ChatProtocolId;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The client wants the prompt cached up to and including this part. */
export interface CacheMark {
  readonly ttl?: '5m' | '1h' | undefined;
}

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly cache?: CacheMark | undefined;
  /** Only of an assistant. */
  readonly citations?: readonly Citation[] | undefined;
}

export type MediaKind = 'image' | 'audio' | 'video' | 'file';

export type MediaSource =
  | { readonly kind: 'base64'; readonly data: string }
  | { readonly kind: 'url'; readonly url: string }
  /** Images of a video, in order, each a URL or a data URI. */
  | { readonly kind: 'frames'; readonly urls: readonly string[] }
  /** Plain text of a document. */
  | { readonly kind: 'text'; readonly text: string }
  /** A file of the vendor's account. No protocol sends it: customers share that account. */
  | { readonly kind: 'id'; readonly id: string };

/** An image, sound, video or file. */
export interface MediaPart {
  readonly type: 'media';
  readonly media: MediaKind;
  readonly source: MediaSource;
  /** Such as `image/png`; undefined if the client did not name it. */
  readonly mediaType?: string | undefined;
  readonly filename?: string | undefined;
  /** How closely an image is looked at, in the words of OpenAI. */
  readonly detail?: string | undefined;
  readonly cache?: CacheMark | undefined;
  /** The client's name of the part's type, such as `image_url`, and its place, such as `messages[0].content[1]`: for errors. */
  readonly clientType: string;
  readonly path: string;
}

/** Thoughts of a model. Empty text: the vendor shows none of them. */
export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  readonly vendor?: VendorData | undefined;
}

/** `custom`: the input is free text instead of JSON. */
export type ToolKind = 'function' | 'custom';

export interface ToolCallPart {
  readonly type: 'tool-call';
  readonly id: string;
  readonly name: string;
  readonly kind: ToolKind;
  /** JSON text of an object, or free text of a custom tool. It may be malformed: a model wrote it. */
  readonly input: string;
  readonly vendor?: VendorData | undefined;
  readonly cache?: CacheMark | undefined;
  /** The place of the input, such as `messages[1].tool_calls[0].function.arguments`: for errors. Empty in an answer. */
  readonly path: string;
}

export interface ToolResultPart {
  readonly type: 'tool-result';
  readonly id: string;
  readonly kind: ToolKind;
  readonly content: readonly (TextPart | MediaPart)[];
  readonly isError?: boolean | undefined;
  readonly cache?: CacheMark | undefined;
  /** The place of the id of the call: for errors. */
  readonly path: string;
}

export interface RefusalPart {
  readonly type: 'refusal';
  readonly text: string;
}

/** A call or a result of a tool that the vendor ran, or another part without a neutral form. Only its own protocol reads it. */
export interface VendorPart {
  readonly type: 'vendor';
  readonly vendor: VendorData;
}

/** Where a statement comes from. Offsets count UTF-16 units of the text that cites. */
export interface Citation {
  readonly url?: string | undefined;
  readonly title?: string | undefined;
  readonly citedText?: string | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}
