import { z } from 'zod';
import { malformedResponse, parseUpstreamJson } from '../failures/malformed-response.js';

/*
 * Fields of the chat-completions API that the gateway reads: platform.openai.com/docs/api-reference/chat.
 * All other fields pass through unread.
 */

const functionCall = z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() });

const wireToolCall = z.looseObject({ id: z.string().nullish(), function: functionCall.nullish() });

/** Message of one choice. */
const wireMessage = z.looseObject({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: z.array(wireToolCall).nullish(),
});

export const wireCompletion = z.looseObject({
  id: z.string().optional(),
  choices: z.array(z.looseObject({ message: wireMessage, finish_reason: z.string().nullish() })).min(1),
  usage: z.unknown().optional(),
});

const wireChunk = z.looseObject({
  id: z.string().nullish(),
  created: z.number().nullish(),
  choices: z
    .array(
      z.looseObject({
        index: z.int().min(0).nullish(),
        delta: z
          .looseObject({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            reasoning_content: z.string().nullish(),
            tool_calls: z.array(wireToolCall.extend({ index: z.int().min(0).max(1_023) })).nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.unknown().optional(),
  error: z.unknown().optional(),
});

export type WireCompletion = z.infer<typeof wireCompletion>;
export type WireChunk = z.infer<typeof wireChunk>;

/** Parses the data of one chunk event. Throws a GatewayError (`upstream_error`) for anything else. */
export function parseWireChunk(data: Buffer): WireChunk {
  const parsed = wireChunk.safeParse(parseUpstreamJson(data));
  if (!parsed.success) throw malformedResponse();
  return parsed.data;
}
