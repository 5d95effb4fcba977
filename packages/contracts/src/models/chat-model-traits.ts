/** Upstream protocols of chat; each has a folder in `packages/upstreams`. */
export const CHAT_PROTOCOL_IDS = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini-generate',
  'dashscope-chat',
] as const;
export type ChatProtocolId = (typeof CHAT_PROTOCOL_IDS)[number];

/** A model's traits for the chat protocols. */
export interface ChatModelTraits {
  readonly maxOutputTokens: number;
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
  /** Accepted kinds of content besides text. */
  readonly inputs: readonly ('image' | 'audio' | 'video' | 'file')[];
}
