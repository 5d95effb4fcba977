import { isJsonObject, type JsonObject } from '@gateway/contracts';
import { z } from 'zod';

/*
 * POST /v1/messages, version 2023-06-01: platform.claude.com/docs/en/api/messages.
 * Lists only the fields that the gateway writes or reads. Left out on purpose: containers and betas. `pass-through/`
 * forwards them unread.
 */

export const API_VERSION = '2023-06-01';

export type ImageMediaType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

type MediaSource =
  | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'text'; readonly media_type: 'text/plain'; readonly data: string };

export interface CacheControl {
  readonly type: 'ephemeral';
  readonly ttl?: '5m' | '1h';
}

interface Cacheable {
  readonly cache_control?: CacheControl;
}

export interface TextBlock extends Cacheable {
  readonly type: 'text';
  readonly text: string;
}

export type MediaBlock = Cacheable &
  (
    | { readonly type: 'image'; readonly source: MediaSource }
    | { readonly type: 'document'; readonly source: MediaSource; readonly title?: string }
  );

export type InputBlock =
  | TextBlock
  | MediaBlock
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | (Cacheable & { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown })
  | (Cacheable & {
      readonly type: 'tool_result';
      readonly tool_use_id: string;
      readonly content: string | readonly (TextBlock | MediaBlock)[];
      readonly is_error?: true;
    })
  /** A block of a tool that this vendor ran, as it sent it. */
  | { readonly type: `${string}_tool_use` | `${string}_tool_result`; readonly [field: string]: unknown };

export interface InputMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly InputBlock[];
}

export interface WireTool extends Cacheable {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: object;
  readonly strict?: boolean;
}

export type WireToolChoice =
  | { readonly type: 'auto' | 'any'; readonly disable_parallel_tool_use?: boolean }
  | { readonly type: 'tool'; readonly name: string; readonly disable_parallel_tool_use?: boolean }
  | { readonly type: 'none' };

type WireThinking =
  | { readonly type: 'adaptive'; readonly display: 'summarized' }
  | { readonly type: 'enabled'; readonly budget_tokens: number };

export interface MessagesBody {
  readonly model: string;
  readonly max_tokens: number;
  readonly system?: readonly TextBlock[];
  readonly messages: readonly InputMessage[];
  readonly tools?: readonly (WireTool | Readonly<Record<string, unknown>>)[];
  readonly tool_choice?: WireToolChoice;
  readonly thinking?: WireThinking;
  readonly output_config?: { readonly effort?: string; readonly format?: { type: 'json_schema'; schema: object } };
  readonly stop_sequences?: readonly string[];
  readonly temperature?: number;
  readonly top_p?: number;
  readonly top_k?: number;
  readonly cache_control?: CacheControl;
  readonly metadata?: { readonly user_id: string };
  readonly stream?: true;
}

/** Content block of a response. Unknown types are skipped. */
const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  signature: z.string().optional(),
  data: z.string().optional(),
  citations: z.array(z.unknown()).nullish(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
});

const stopDetails = z.looseObject({ explanation: z.string().nullish() }).nullish();

/** `usage` is unknown here: `usage.ts` reads it, and an invalid count gives an estimate instead of an error. */
export const messageReply = z.looseObject({
  type: z.literal('message'),
  id: z.string(),
  content: z.array(block),
  stop_reason: z.string().nullish(),
  stop_sequence: z.string().nullish(),
  stop_details: stopDetails,
  usage: z.unknown().optional(),
});

const index = z.int().min(0);

/** Stream events: platform.claude.com/docs/en/build-with-claude/streaming. `ping` and unknown types are skipped. */
export const EVENTS = {
  message_start: z.looseObject({ message: z.looseObject({ id: z.string(), usage: z.unknown().optional() }) }),
  content_block_start: z.looseObject({ index, content_block: block }),
  content_block_stop: z.looseObject({ index }),
  message_delta: z.looseObject({
    delta: z.looseObject({
      stop_reason: z.string().nullish(),
      stop_sequence: z.string().nullish(),
      stop_details: stopDetails,
    }),
    usage: z.unknown().optional(),
  }),
} as const;

export type ReplyBlock = z.infer<typeof block>;
export type EventOf<Name extends keyof typeof EVENTS> = z.infer<(typeof EVENTS)[Name]>;

/** The most frequent event by far, so it is read by hand. */
export interface BlockDelta {
  readonly index: number;
  /** Its texts are unknown here: each kind checks its own. */
  readonly delta: JsonObject & { readonly type: string };
}

/** Undefined if it is no delta of a block. */
export function readBlockDelta({ index, delta }: JsonObject): BlockDelta | undefined {
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0) return undefined;
  if (!isJsonObject(delta) || typeof delta.type !== 'string') return undefined;
  return { index, delta: delta as BlockDelta['delta'] };
}
