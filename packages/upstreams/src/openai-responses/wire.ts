import { z } from 'zod';

/*
 * POST /v1/responses: platform.openai.com/docs/api-reference/responses.
 * Lists only the fields that the gateway writes or reads. Left out on purpose: stored state and the vendor's own tools.
 * `pass-through/` forwards them.
 */

/** The upstream rejects a smaller `max_output_tokens`. */
export const MIN_OUTPUT_TOKENS = 16;

export type InputPart =
  | { readonly type: 'input_text'; readonly text: string }
  | { readonly type: 'input_image'; readonly image_url: string; readonly detail: string }
  | { readonly type: 'input_file'; readonly [field: string]: string };

export type OutputPart =
  | { readonly type: 'output_text'; readonly text: string; readonly annotations: readonly never[] }
  | { readonly type: 'refusal'; readonly refusal: string };

export type InputItem =
  | { readonly type: 'message'; readonly role: 'user' | 'developer'; readonly content: readonly InputPart[] }
  | { readonly type: 'message'; readonly role: 'assistant'; readonly content: readonly OutputPart[] }
  | { readonly type: 'function_call'; readonly call_id: string; readonly name: string; readonly arguments: string }
  | { readonly type: 'custom_tool_call'; readonly call_id: string; readonly name: string; readonly input: string }
  | {
      readonly type: 'function_call_output' | 'custom_tool_call_output';
      readonly call_id: string;
      readonly output: string;
    }
  | {
      readonly type: 'reasoning';
      readonly id: string;
      readonly summary: readonly { readonly type: 'summary_text'; readonly text: string }[];
      readonly encrypted_content: string;
    };

export interface CustomWireTool {
  readonly type: 'custom';
  readonly name: string;
  readonly description?: string;
  readonly format?: object;
}

export interface WireTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string | null;
  readonly parameters: object;
  readonly strict: boolean;
}

export interface ResponsesBody {
  readonly model: string;
  readonly instructions?: string;
  readonly input: readonly InputItem[];
  readonly tools?: readonly (WireTool | CustomWireTool)[];
  readonly tool_choice?: string | { readonly type: 'function' | 'custom'; readonly name: string };
  readonly parallel_tool_calls?: boolean;
  readonly max_output_tokens?: number;
  readonly reasoning?: { readonly effort: string };
  readonly text?: { readonly format?: object; readonly verbosity?: unknown };
  readonly top_p?: number;
  readonly metadata?: object;
  readonly user?: string;
  readonly store: false;
  readonly include?: readonly string[];
  readonly stream?: true;
}

const part = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  refusal: z.string().nullish(),
  annotations: z.array(z.unknown()).nullish(),
});

const message = z.looseObject({ type: z.literal('message'), content: z.array(part).nullish() });
const reasoning = z.looseObject({
  type: z.literal('reasoning'),
  id: z.string().nullish(),
  summary: z.array(part).nullish(),
  encrypted_content: z.string().nullish(),
});
const functionCall = z.looseObject({
  type: z.literal('function_call'),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string().nullish(),
});
const customCall = z.looseObject({
  type: z.literal('custom_tool_call'),
  call_id: z.string(),
  name: z.string(),
  input: z.string().nullish(),
});
const KNOWN_ITEMS: ReadonlySet<string> = new Set(['message', 'reasoning', 'function_call', 'custom_tool_call']);
/** Other items are of tools that the vendor ran. They pass whole. */
const otherItem = z
  .looseObject({ type: z.string().refine((type) => !KNOWN_ITEMS.has(type)) })
  .transform((data) => ({ type: 'other' as const, data }));

/** Output item. */
const item = z.union([z.discriminatedUnion('type', [message, reasoning, functionCall, customCall]), otherItem]);

/** `usage` is unknown here: `usage.ts` reads it, and an invalid count gives an estimate instead of an error. */
export const responseObject = z.looseObject({
  id: z.string(),
  created_at: z.number().nullish(),
  status: z.string(),
  output: z.array(item).nullish(),
  incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
  error: z.unknown().optional(),
  usage: z.unknown().optional(),
});

const outputIndex = z.int().min(0);
const delta = z.looseObject({ delta: z.string() });
const withResponse = z.looseObject({ response: responseObject });

/** Stream events: platform.openai.com/docs/api-reference/responses-streaming. Unknown types are skipped. */
export const EVENTS = {
  'response.created': withResponse,
  'response.output_item.added': z.looseObject({ output_index: outputIndex, item }),
  'response.output_item.done': z.looseObject({ output_index: outputIndex, item }),
  'response.output_text.delta': delta,
  'response.output_text.annotation.added': z.looseObject({ annotation: z.unknown() }),
  'response.refusal.delta': delta,
  'response.reasoning_summary_text.delta': delta,
  'response.function_call_arguments.delta': z.looseObject({ output_index: outputIndex, delta: z.string() }),
  'response.custom_tool_call_input.delta': z.looseObject({ output_index: outputIndex, delta: z.string() }),
  'response.completed': withResponse,
  'response.incomplete': withResponse,
  'response.failed': withResponse,
} as const;

export type ReplyItem = z.infer<typeof item>;
export type ResponseObject = z.infer<typeof responseObject>;
export type EventName = keyof typeof EVENTS;
export type EventOf<Name extends EventName> = z.infer<(typeof EVENTS)[Name]>;
