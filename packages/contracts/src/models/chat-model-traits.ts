/** Upstream protocols of chat; each has a folder in `packages/upstreams`. */
export const CHAT_PROTOCOL_IDS = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini-generate',
  'dashscope-chat',
] as const;
export type ChatProtocolId = (typeof CHAT_PROTOCOL_IDS)[number];

/** The most tokens that a vendor counts for media, by its documents. Admission holds them. */
export interface MediaTokens {
  /** `block`: an image of known size has so many tokens for each square of `side` pixels, up to `most`. */
  readonly image: { readonly most: number; readonly block?: { readonly side: number; readonly tokens: number } };
  /** Tokens of one second of sound, and of one second of frames. */
  readonly audioSecond?: number;
  readonly videoSecond?: number;
  /** A page of a PDF. `includesText`: its text has no tokens of its own. */
  readonly page?: { readonly tokens: number; readonly includesText: boolean };
}

/** A model's traits for the chat protocols. */
export interface ChatModelTraits {
  readonly maxOutputTokens: number;
  /** The upstream rejects a lower output cap. Default: 1. */
  readonly minOutputTokens?: number;
  /** The upper bound of temperature. `fixed`: the upstream accepts no sampling parameters, so the protocol drops them. */
  readonly temperature: 'fixed' | { readonly max: number };
  /** `reasoning_effort` → the upstream's value; any other effort is a 400. Null: the model has no effort setting. */
  readonly efforts: Readonly<Partial<Record<string, string>>> | null;
  /** How thinking is switched on, if not by effort alone. */
  readonly thinking: 'none' | 'adaptive' | 'budget' | 'always';
  /**
   * Reasoning that is billed and that the stream does not show, as text of its own. `never`: the stream shows all of it.
   * `on_request`: only an effort or a thinking setting causes it. `by_default`: all but the effort `none` cause it.
   */
  readonly hiddenReasoning: 'never' | 'on_request' | 'by_default';
  /** The upstream refuses a forced tool. The protocol then asks for it in words, and reports it. */
  readonly refusesForcedTools?: true;
  /** The upstream is asked for the whole answer. A client that asks for a stream gets comments meanwhile. */
  readonly neverStreams?: true;
  /** Accepted kinds of content besides text. */
  readonly inputs: readonly ('image' | 'audio' | 'video' | 'file')[];
  /** The vendor refuses a call of a function in the history that lacks its signature. */
  readonly signsCalls?: true;
  /** The vendor refuses a conversation that ends with the model's text. The protocol adds a turn, and reports it. */
  readonly needsUserLast?: true;
  /** The model says in whole seconds when a part of a recording begins and ends. Of single words it does not. */
  readonly timesSegments?: true;
  readonly media: MediaTokens;
}
