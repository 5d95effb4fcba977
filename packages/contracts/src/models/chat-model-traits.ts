/** The wires that chat is spoken on. */
export const CHAT_PROTOCOL_IDS = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini-generate',
  'dashscope-chat',
] as const;
export type ChatProtocolId = (typeof CHAT_PROTOCOL_IDS)[number];

/** What a protocol must know of a model to translate for it. */
export interface ChatModelTraits {
  readonly maxOutputTokens: number;
  /** Output tokens asked for when the client sets no cap and the upstream needs one. */
  readonly defaultMaxTokens: number;
  /** `fixed`: sampling parameters are refused or ignored upstream, so they are dropped; otherwise the upper bound of temperature. */
  readonly temperature: 'fixed' | { readonly max: number };
  /** Client's `reasoning_effort` → the upstream's word; an effort that is not a key is 400. Null: the model takes no effort. */
  readonly efforts: Readonly<Partial<Record<string, string>>> | null;
  /** How the upstream is told to think, where it is not by effort alone. */
  readonly thinking: 'none' | 'adaptive' | 'budget' | 'always';
  /** Kinds of content part besides text. */
  readonly inputs: readonly ('image' | 'audio' | 'video' | 'file')[];
}
